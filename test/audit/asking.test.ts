/** What an audit adds to a request stands where each protocol has it, and is left out where it has none. */
import { describe, expect, test } from 'vitest';
import { ADAPTERS } from '../../adapters/index.ts';
import { createSeedFields } from '../../src/audit/plan.ts';

const PLACES: Readonly<Record<string, { seed: object; logprobs: object | null }>> = {
  'openai-chat': { seed: { seed: 7 }, logprobs: { logprobs: true, top_logprobs: 5 } },
  'openai-completions': { seed: { seed: 7 }, logprobs: { logprobs: 5 } },
  // https://platform.openai.com/docs/api-reference/responses/create has no seed.
  'openai-responses': { seed: {}, logprobs: { include: ['message.output_text.logprobs'], top_logprobs: 5 } },
  'anthropic-messages': { seed: {}, logprobs: null },
  gemini: {
    seed: { generationConfig: { seed: 7 } },
    logprobs: { generationConfig: { responseLogprobs: true, logprobs: 5 } },
  },
  huggingface: {
    seed: { parameters: { seed: 7 } },
    logprobs: { parameters: { details: true, top_n_tokens: 5 } },
  },
};

const KNOWN = ADAPTERS.filter(({ name }) => name in PLACES);

describe.each(KNOWN.map((protocol) => [protocol.name, protocol] as const))('%s', (name, protocol) => {
  const body = (parameters: Readonly<Record<string, unknown>>) =>
    JSON.parse(protocol.compose({ model: 'm', system: null, user: 'Rate it.', parameters }).body);

  test('the seed', () => {
    const sent = body(createSeedFields(protocol, 7));
    expect(sent).toMatchObject(PLACES[name]?.seed ?? {});
    expect(JSON.stringify(sent).includes('seed')).toBe(JSON.stringify(PLACES[name]?.seed).includes('seed'));
  });

  test('log-probabilities', () => {
    const more = protocol.capabilities.logProbabilities?.(5) ?? null;
    const wanted = PLACES[name]?.logprobs ?? null;
    if (wanted === null) expect(more).toBeNull();
    else expect(body(more ?? {})).toMatchObject(wanted);
  });

  test('the longest answer', () => {
    const { maxTokens } = protocol.capabilities;
    const sent: Record<string, object> = body({ [maxTokens]: 9 });
    expect([sent, sent.generationConfig, sent.parameters]).toContainEqual(
      expect.objectContaining({ [maxTokens]: 9 }),
    );
  });

  test('the header of its key is one that keys of ours are taken out of', () => {
    expect(protocol.capabilities.keyHeaders).toContain(protocol.credential('sk')[0]);
  });
});

test('TGI takes no temperature of 0, and decodes greedily without one', () => {
  const huggingface = ADAPTERS.find(({ name }) => name === 'huggingface');
  const asked = (temperature: number) =>
    JSON.parse(
      huggingface?.compose({ model: 'm', system: null, user: 'Rate it.', parameters: { temperature } })
        .body ?? '',
    ).parameters;
  expect(asked(0)).not.toHaveProperty('temperature');
  expect(asked(1)).toMatchObject({ temperature: 1, do_sample: true });
});
