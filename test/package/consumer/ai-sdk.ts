import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import { remandMiddleware } from 'remand/ai-sdk';
import { prompt } from './your-judge.ts';

const provider = createOpenAICompatible({ name: 'local', baseURL: `${process.env.JUDGE_URL}/v1` });
const judge = wrapLanguageModel({ model: provider('test-judge'), middleware: remandMiddleware() });
const { text, providerMetadata } = await generateText({ model: judge, prompt });
const streamed = await streamText({ model: provider('test-judge'), prompt }).text;

console.log(JSON.stringify({ text, streamed, status: providerMetadata?.remand?.status }));
