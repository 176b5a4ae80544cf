import { createJudge } from 'remand';
import { askYourModel, prompt } from './your-judge.ts';

const judge = createJudge({ ask: (prompt) => askYourModel(prompt) });
const { text, verdict, status, biases } = await judge.verdict(prompt);

console.log(JSON.stringify({ text, choice: verdict?.choice, status, biases }));
