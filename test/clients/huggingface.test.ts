/** Hugging Face's own client at an endpoint of one's own: chat completions and text generation, whole and streamed. */
import { InferenceClient } from '@huggingface/inference';
import { IN_WORDS, planted } from './harness/cases.ts';
import { conforms } from './harness/conformance.ts';

const at = (base: string, path: string) =>
  new InferenceClient('hf_notARealToken', { endpointUrl: `${base}${path}`, retry_on_error: false });

for (const { prompt, ...rest } of planted(IN_WORDS, 'Output (a)', 'Output (b)')) {
  const row = {
    client: '@huggingface/inference',
    ...rest,
    garbage: 'Both have their merits.',
    returns: { right: 'Output (b)', wrong: 'Output (a)' },
  };
  const asked = { model: 'tgi', messages: [{ role: 'user', content: prompt }] };

  conforms({
    ...row,
    call: 'chatCompletion',
    protocol: '/v1/chat/completions',
    form: 'text',
    async ask(base) {
      const reply = await at(base, '/v1/chat/completions').chatCompletion(asked);
      return reply.choices[0]?.message.content;
    },
  });

  conforms({
    ...row,
    call: 'chatCompletionStream',
    protocol: '/v1/chat/completions',
    form: 'text, streamed',
    async ask(base) {
      const pieces: string[] = [];
      for await (const chunk of at(base, '/v1/chat/completions').chatCompletionStream(asked))
        pieces.push(chunk.choices[0]?.delta.content ?? '');
      return pieces.join('');
    },
  });

  // The client asks an endpoint for text over the older completions of OpenAI's API.
  conforms({
    ...row,
    call: 'textGeneration',
    protocol: '/v1/completions',
    form: 'text',
    async ask(base) {
      const parameters = { max_new_tokens: 64 };
      return (await at(base, '').textGeneration({ inputs: prompt, parameters })).generated_text;
    },
  });

  const inputs = { inputs: prompt, parameters: { max_new_tokens: 64, details: true } };

  conforms({
    ...row,
    call: 'request',
    protocol: '/generate',
    form: 'generated text',
    async ask(base) {
      const endpointUrl = `${base}/generate`;
      const reply = await at(base, '').request<{ generated_text: string }>({ endpointUrl, ...inputs });
      return reply.generated_text;
    },
  });

  conforms({
    ...row,
    call: 'streamingRequest',
    protocol: '/generate_stream',
    form: 'generated text, streamed',
    async ask(base) {
      const pieces: string[] = [];
      const endpointUrl = `${base}/generate_stream`;
      const events = at(base, '').streamingRequest<{ token: { text: string } }>({ endpointUrl, ...inputs });
      for await (const event of events) pieces.push(event.token.text);
      return pieces.join('');
    },
  });
}
