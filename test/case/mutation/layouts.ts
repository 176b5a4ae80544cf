/**
 * Templates of public judge clients for the mutation test: the delimiters are the clients' own, the words around
 * them are ours. Each can be written with any texts in it, so the truth about where they stand is known.
 */
import type { Prompt } from '../../../src/case/types.ts';
import * as client from './client-parsers.ts';

export interface Filling {
  /** Null leaves the question out where the template allows it. */
  readonly question: string | null;
  readonly texts: readonly string[];
  /** What tells the options apart, one for each text. */
  readonly keys: readonly string[];
  /** How the orders call them; another style than `keys` is a mistake that templates have. */
  readonly asked: readonly string[];
  /** Whether the last option's end marker stands there, in templates that have one. */
  readonly ended: boolean;
}

export interface Layout {
  readonly name: string;
  /** How many are judged. */
  readonly options: number;
  /** Whether the keys may be of another style. */
  readonly keyed: boolean;
  readonly keys: readonly string[];
  readonly schema?: unknown;
  readonly write: (filling: Filling) => Prompt;
  /** How the client writes each decision; the last may be a tie. */
  readonly labels: readonly string[];
  /** What the client takes from a reply. */
  readonly parse: client.Parser;
  /** Whether nothing else may be read than what the client reads. Words are read, too, where the client is unknown. */
  readonly strict: boolean;
}

const user = (text: string): Prompt => ({ parts: [{ role: 'user', text }] });
const chat = (system: string, text: string): Prompt => ({
  parts: [
    { role: 'system', text: system },
    { role: 'user', text },
  ],
});
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });
const asking = (question: string | null, write: (question: string) => string) =>
  question === null ? '' : write(question);
const list = (texts: readonly string[], write: (text: string, i: number) => string, glue = '\n\n') =>
  texts.map(write).join(glue);

const AB = ['A', 'B'];
const STRICT_FORM = (asked: readonly string[]) =>
  `strictly following this format: "[[${asked[0]}]]" if assistant ${asked[0]} is better, "[[${asked[1]}]]" if assistant ${asked[1]} is better, and "[[C]]" for a tie.`;
const assistants = (
  { question, texts, keys, ended }: Filling,
  [open, close]: readonly [string, string] = ['[', ']'],
) =>
  asking(question, (one) => `${open}User Question${close}\n${one}\n\n`) +
  list(texts, (text, i) => {
    const end =
      ended || i < texts.length - 1 ? `\n${open}The End of Assistant ${keys[i]}'s Answer${close}` : '';
    return `${open}The Start of Assistant ${keys[i]}'s Answer${close}\n${text}${end}`;
  });
const outputs = ({ question, texts, keys }: Filling) =>
  asking(question, (one) => `# Instruction:\n${one}\n\n`) +
  list(texts, (text, i) => `# Output (${keys[i]}):\n${text}`);
const GRADES = `Give one of these labels as your verdict:

1. Assistant A is far better: [[A>>B]]
2. Assistant A is a little better: [[A>B]]
3. About the same: [[A=B]]
4. Assistant B is a little better: [[B>A]]
5. Assistant B is far better: [[B>>A]]`;
const FIVE = ['[[A>>B]]', '[[A>B]]', '[[B>A]]', '[[B>>A]]', '[[A=B]]'];

export const LAYOUTS: readonly Layout[] = [
  {
    name: 'FastChat, MT-Bench pair',
    options: 2,
    keyed: true,
    keys: AB,
    write: (filling) =>
      chat(
        `You are an impartial judge of two AI assistants. Explain, then output your verdict by ${STRICT_FORM(filling.asked)}`,
        assistants(filling),
      ),
    labels: ['[[A]]', '[[B]]', '[[C]]'],
    parse: client.fastChat,
    strict: true,
  },
  {
    name: 'FastChat, MT-Bench single',
    options: 1,
    keyed: false,
    keys: ['A'],
    write: ({ question, texts, ended }) =>
      user(
        `[Instruction]\nAct as an impartial judge and rate the response on a scale of 1 to 10 by strictly following this format: "[[rating]]", for example: "Rating: [[5]]".\n\n${asking(question, (one) => `[Question]\n${one}\n\n`)}[The Start of Assistant's Answer]\n${texts[0]}${ended ? "\n[The End of Assistant's Answer]" : ''}`,
      ),
    labels: ['[[3]]', 'Rating: [[7]]', '[[10]]', '[[6.5]]'],
    parse: client.firstRating,
    strict: false,
  },
  {
    name: 'LangChain pair',
    options: 2,
    keyed: true,
    keys: AB,
    write: (filling) =>
      chat(
        `You are an impartial judge of two AI assistants. For this evaluation, you should primarily consider the following criteria:\nhelpfulness\nExplain, then output your verdict by ${STRICT_FORM(filling.asked)}`,
        assistants(filling),
      ),
    labels: ['[[A]]', '[[B]]', '[[C]]'],
    parse: client.firstBracketed,
    strict: true,
  },
  {
    name: 'arena-hard',
    options: 2,
    keyed: false,
    keys: AB,
    write: (filling) =>
      chat(
        `Judge which of two AI assistants answers the prompt better. ${GRADES}\n\nFor example: "My final verdict is tie: [[A=B]]".`,
        assistants({ ...filling, question: null }, ['<|', '|>']).replace(/^/, () =>
          asking(filling.question, (one) => `<|User Prompt|>\n${one}\n\n`),
        ),
      ),
    labels: FIVE,
    parse: client.lastGraded,
    strict: true,
  },
  {
    name: 'JudgeBench, five labels',
    options: 2,
    keyed: false,
    keys: AB,
    write: (filling) =>
      chat(`Judge which of two AI assistants answers the prompt better. ${GRADES}`, assistants(filling)),
    labels: FIVE,
    parse: client.onlyGraded,
    strict: true,
  },
  {
    name: 'LLMBar',
    options: 2,
    keyed: true,
    keys: ['a', 'b'],
    write: (filling) =>
      chat(
        'You evaluate the quality of the outputs for a given instruction.',
        `Select the output that is better. Answer ONLY "Output (${filling.asked[0]})" or "Output (${filling.asked[1]})".\n\n${outputs(filling)}\n\n# Which is better, Output (${filling.asked[0]}) or Output (${filling.asked[1]})? Your response should be either "Output (${filling.asked[0]})" or "Output (${filling.asked[1]})":`,
      ),
    labels: ['Output (a)', 'Output (b)'],
    parse: client.outputOnLine,
    strict: false,
  },
  {
    name: 'prometheus, relative',
    options: 2,
    keyed: false,
    keys: AB,
    write: ({ question, texts, keys }) =>
      user(
        `###Task Description:\nTwo responses to evaluate (denoted as Response A and Response B) and a rubric are given. The output format should look as follows: "Feedback: (write a feedback for criteria) [RESULT] (Either "A" or "B")"\n\n${asking(question, (one) => `###Instruction:\n${one}\n\n`)}${list(texts, (text, i) => `###Response ${keys[i]}:\n${text}`)}\n\n###Score Rubric:\nIs it friendly?\n\n###Feedback: `,
      ),
    labels: ['[RESULT] A', '[RESULT] B'],
    parse: client.resultAtEnd,
    strict: true,
  },
  {
    name: 'prometheus, absolute',
    options: 1,
    keyed: false,
    keys: ['A'],
    write: ({ question, texts }) =>
      user(
        `###Task Description:\nA response to evaluate and a score rubric are given. Write a score that is an integer between 1 and 5. The output format should look as follows: "Feedback: (write a feedback for criteria) [RESULT] (an integer number between 1 and 5)"\n\n${asking(question, (one) => `###The instruction to evaluate:\n${one}\n\n`)}###Response to evaluate:\n${texts[0]}\n\n###Score Rubrics:\nScore 1: bad\nScore 5: good\n\n###Feedback: `,
      ),
    labels: ['[RESULT] 1', '[RESULT] 4', '[RESULT] 5'],
    parse: client.numberAtEnd,
    strict: false,
  },
  {
    name: 'responses in brackets',
    options: 2,
    keyed: true,
    keys: ['1', '2'],
    write: ({ question, texts, keys, asked }) =>
      user(
        `Compare the two responses.\n\n${asking(question, (one) => `[Question]\n${one}\n\n`)}${list(texts, (text, i) => `[Response ${keys[i]}]\n${text}`)}\n\n[Verdict]\nWhich response is better? Answer with "[[${asked[0]}]]" or "[[${asked[1]}]]".`,
      ),
    labels: ['[[1]]', '[[2]]'],
    parse: client.onlyBracketed,
    strict: false,
  },
  {
    name: 'autoevals, Battle',
    options: 2,
    keyed: false,
    keys: ['1', '2'],
    schema: object({ reasons: { type: 'string' }, choice: { type: 'string', enum: ['Yes', 'No'] } }),
    write: ({ question, texts, keys }) =>
      user(
        `You compare two responses to the following instructions.\n\n${list(texts, (text, i) => `[Instruction ${keys[i]}]\n${question ?? ''}\n[Response ${keys[i]}]\n${text}`)}\n\n\nIs the first response better than the second? You must give one answer.`,
      ),
    labels: ['{"reasons": "x", "choice": "Yes"}', '{"choice": "No", "reasons": "the first says \\"Yes\\""}'],
    parse: client.exactField('choice', ['Yes', 'No']),
    strict: false,
  },
  {
    name: 'autoevals, Factuality',
    options: 1,
    keyed: false,
    keys: ['A'],
    schema: object({ reasons: { type: 'string' }, choice: { enum: ['A', 'B', 'C', 'D', 'E'] } }),
    write: ({ question, texts }) =>
      user(
        `You compare a submitted answer with an expert's. Here is the data:\n[BEGIN DATA]\n************\n[Question]: ${question ?? ''}\n************\n[Expert]: Four.\n************\n[Submission]: ${texts[0]}\n************\n[END DATA]\n\nSelect one of the following options:\n(A) The submitted answer is a subset of the expert's.\n(B) It is a superset.\n(C) They hold the same details.\n(D) They disagree.\n(E) They differ, but not in facts.`,
      ),
    labels: ['{"choice": "A"}', '{"reasons": "not E", "choice": "D"}'],
    parse: client.exactField('choice', ['A', 'B', 'C', 'D', 'E']),
    strict: false,
  },
  {
    name: 'promptfoo, select-best',
    options: 3,
    keyed: false,
    keys: ['0', '1', '2'],
    write: ({ texts, keys }) => ({
      parts: [
        {
          role: 'system',
          text: `You compare pieces of text to see which best fits these criteria: friendly\n\nHere are the pieces of text:\n\n${list(texts, (text, i) => `<Text index="${keys[i]}">\n${text}\n</Text>`, '\n')}\n\nOutput the index of the text that best fits the criteria. You must output a single integer.`,
        },
      ],
    }),
    labels: ['0', '1', '2'],
    parse: client.firstInteger(3),
    strict: true,
  },
  {
    name: 'openevals, a boolean',
    options: 1,
    keyed: false,
    keys: ['A'],
    schema: object({ reasoning: { type: 'string' }, score: { type: 'boolean' } }),
    write: ({ question, texts }) =>
      user(
        `You label data. Assign a score for correctness.\n\n${asking(question, (one) => `<input>\n${one}\n</input>\n\n`)}<output>\n${texts[0]}\n</output>\n\n<reference_outputs>\n4\n</reference_outputs>`,
      ),
    labels: ['{"reasoning": "x", "score": true}', '{"reasoning": "not true", "score": false}'],
    parse: client.booleanField('score'),
    strict: false,
  },
  {
    name: 'openai/evals, battle, reasons first',
    options: 2,
    keyed: false,
    keys: ['1', '2'],
    write: ({ question, texts, keys }) =>
      user(
        `You compare two responses to the following instructions.\n\n${list(texts, (text, i) => `[Instruction ${keys[i]}]\n${question ?? ''}\n[Response ${keys[i]}]\n${text}`)}\n\n\nIs the first response better than the second? First, write out your reasoning. Then print only a single choice from "Yes" or "No" (without quotes or punctuation) on its own line. At the end, repeat just the answer by itself on a new line.\n\nReasoning:`,
      ),
    labels: ['Yes', 'No'],
    parse: client.choiceByLine(['Yes', 'No'], 'from the end'),
    strict: true,
  },
  {
    name: 'openai/evals, battle',
    options: 2,
    keyed: false,
    keys: ['1', '2'],
    write: ({ question, texts, keys }) =>
      user(
        `You compare two responses to the following instructions.\n\n${list(texts, (text, i) => `[Instruction ${keys[i]}]\n${question ?? ''}\n[Response ${keys[i]}]\n${text}`)}\n\n\nIs the first response better than the second? Answer "Yes" or "No".`,
      ),
    labels: ['Yes', 'No'],
    parse: client.choiceByLine(['Yes', 'No'], 'from the start'),
    strict: true,
  },
  {
    name: 'openai/evals, best of a numbered list',
    options: 3,
    keyed: false,
    keys: ['1', '2', '3'],
    write: ({ question, texts, keys }) =>
      user(
        `Which of these 3 texts is the best response to the instruction?\n\nInstruction: ${question ?? 'Say hello.'}\n\nResponses:\n${list(texts, (text, i) => `${keys[i]}. ${text}`)}\n\nFirst, answer by printing a single choice from "1" or "2" or "3" (without quotes). Then, from the next line, explain.`,
      ),
    labels: ['1', '2', '3'],
    parse: client.exactly(['1', '2', '3']),
    strict: false,
  },
  {
    name: 'alpaca_eval, a map of models',
    options: 2,
    keyed: false,
    keys: ['m', 'M'],
    write: ({ texts }) =>
      user(
        `## Model Outputs\n\n{\n    {\n        "model_identifier": "m",\n        "output": """${texts[0]}"""\n    },\n    {\n        "model_identifier": "M",\n        "output": """${texts[1]}"""\n    }\n}\n\nWhich is the best? Answer with m or M only.`,
      ),
    labels: ['m', 'M'],
    parse: client.exactly(['m', 'M']),
    strict: false,
  },
  {
    name: 'tags and an enum',
    options: 2,
    keyed: true,
    keys: ['a', 'b'],
    schema: object({ reasoning: { type: 'string' }, winner: { enum: ['a', 'b', 'tie'] } }),
    write: ({ question, texts, keys }) =>
      user(
        `Which response is better?\n\n${asking(question, (one) => `<question>\n${one}\n</question>\n`)}${list(texts, (text, i) => `<response_${keys[i]}>\n${text}\n</response_${keys[i]}>`, '\n')}\n\nThink first, then give your verdict.`,
      ),
    labels: [
      '{"reasoning": "x", "winner": "a"}',
      '{"reasoning": "a is long", "winner": "b"}',
      '{"winner": "tie"}',
    ],
    parse: client.exactField('winner', ['a', 'b'], 'tie'),
    strict: false,
  },
  {
    name: 'headings and a letter',
    options: 2,
    keyed: true,
    keys: AB,
    write: ({ question, texts, keys, asked }) =>
      user(
        `Which answer is better?\n\n${asking(question, (one) => `## Question\n${one}\n\n`)}${list(texts, (text, i) => `## Answer ${keys[i]}\n${text}`)}\n\n## Verdict\nReply with only "${asked[0]}" or "${asked[1]}".`,
      ),
    labels: ['A', 'B'],
    parse: client.exactly(['A', 'B']),
    strict: false,
  },
  {
    name: 'a map in JSON',
    options: 2,
    keyed: false,
    keys: ['a', 'b'],
    schema: object({ winner: { enum: ['answer_a', 'answer_b'] } }),
    write: ({ question, texts }) =>
      user(
        `Which answer is better?\n${JSON.stringify({ question: question ?? '', answer_a: texts[0], answer_b: texts[1] }, null, 1)}`,
      ),
    labels: ['{"winner": "answer_a"}', '{"winner": "answer_b"}'],
    parse: client.exactField('winner', ['answer_a', 'answer_b']),
    strict: false,
  },
  {
    name: 'JudgeLM, two scores',
    options: 2,
    keyed: false,
    keys: ['1', '2'],
    write: (filling) =>
      user(
        `${assistants(filling)}\n\n[System]\nWe would like your feedback on two AI assistants. Each receives a score on a scale of 1 to 10. Please first output a single line containing only two values indicating the scores for Assistant 1 and 2, respectively. The two scores are separated by a space.`,
      ),
    labels: ['9 6', '3 8', '7 7'],
    parse: client.twoNumbers,
    strict: true,
  },
  {
    name: 'inspect_ai, a grade',
    options: 1,
    keyed: false,
    keys: ['A'],
    write: ({ question, texts }) =>
      user(
        `You compare a submitted answer to an expert's. Here is the data:\n\n[BEGIN DATA]\n************\n[Task]: ${question ?? ''}\n************\n[Submission]: ${texts[0]}\n************\n[Criterion]: right\n************\n[END DATA]\n\nDoes the submission meet the criterion? Explain, then end with 'GRADE: $LETTER' where LETTER is one of "C" (correct) or "I" (incorrect).`,
      ),
    labels: ['GRADE: C', 'GRADE: I'],
    parse: client.lastGrade,
    strict: false,
  },
];
