/** Google's own client: text, a stream, a response schema, a forced function. */
import { FunctionCallingConfigMode, GoogleGenAI, Type } from '@google/genai';
import { IN_WORDS, planted } from './harness/cases.ts';
import { conforms } from './harness/conformance.ts';

const at = (base: string) =>
  new GoogleGenAI({ apiKey: 'AIzaSyNotARealKey', httpOptions: { baseUrl: base } }).models;
const model = 'gemini-3-flash';
const systemInstruction = 'You are a fair judge.';
const protocol = '/v1/models/{model}:generateContent';

for (const { prompt: contents, ...rest } of planted(IN_WORDS, 'Output (a)', 'Output (b)')) {
  const row = {
    client: '@google/genai',
    ...rest,
    garbage: 'Both have their merits.',
    returns: { right: 'Output (b)', wrong: 'Output (a)' },
  };
  conforms({
    ...row,
    call: 'generateContent',
    protocol,
    form: 'text',
    ask: async (base) =>
      (await at(base).generateContent({ model, contents, config: { systemInstruction } })).text,
  });
  conforms({
    ...row,
    call: 'generateContentStream',
    protocol: '/v1/models/{model}:streamGenerateContent',
    form: 'text, streamed',
    async ask(base) {
      const pieces: string[] = [];
      const asked = { model, contents, config: { systemInstruction } };
      for await (const chunk of await at(base).generateContentStream(asked)) pieces.push(chunk.text ?? '');
      return pieces.join('');
    },
  });
}

const ruling = (winner: string) => ({ reasoning: 'I looked at both.', winner });
const schema = {
  type: Type.OBJECT,
  properties: {
    reasoning: { type: Type.STRING },
    winner: { type: Type.STRING, enum: ['A', 'B'] },
  },
  required: ['reasoning', 'winner'],
};

for (const { prompt: contents, ...rest } of planted('Rule on it.', ruling('A'), ruling('B'))) {
  const row = {
    client: '@google/genai',
    call: 'generateContent',
    protocol,
    ...rest,
    garbage: ruling('both'),
    returns: { right: ruling('B'), wrong: ruling('A') },
  };
  conforms({
    ...row,
    form: 'JSON schema',
    async ask(base) {
      const config = { responseMimeType: 'application/json', responseSchema: schema };
      return JSON.parse((await at(base).generateContent({ model, contents, config })).text ?? '');
    },
  });
  conforms({
    ...row,
    form: 'forced function',
    async ask(base) {
      const config = {
        tools: [{ functionDeclarations: [{ name: 'rule', parameters: schema }] }],
        toolConfig: {
          functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ['rule'] },
        },
      };
      return (await at(base).generateContent({ model, contents, config })).functionCalls?.[0]?.args;
    },
  });
}
