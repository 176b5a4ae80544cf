/** What an audit adds to a request stands where each protocol has it, and is left out where it has none. */
import { describe, expect, test } from 'vitest';
import { ADAPTERS } from '../../adapters/index.ts';
import { readSettings } from '../../src/audit/audit-settings.ts';
import { authorSettings, createAuthorPlan } from '../../src/audit/authors/plan.ts';
import { createPerturbPlan, perturbSettings } from '../../src/audit/perturb/plan.ts';
import { type AuditJudge, createSeedFields, runPlan } from '../../src/audit/plan.ts';

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

describe('the line of acceptance that figures are made with is the one that the judge is told', () => {
  const signal = new AbortController().signal;
  /** A judge that keeps what it is asked. */
  function listen(): { readonly judge: AuditJudge; readonly asked: string[] } {
    const asked: string[] = [];
    const [protocol] = KNOWN;
    if (!protocol) throw new Error('no protocol');
    const ask = async ({ user }: { readonly user: string }) => {
      asked.push(user);
      return { text: 'No.', reasoning: null, finish: null, tokens: null, cached: false };
    };
    return { judge: { name: 'j', protocol, open: async () => ({ name: 'j', ask }) }, asked };
  }
  const text = 'We study things with a method and count what comes of it. '.repeat(5);
  const run = { concurrency: 1, signal };

  test.each([
    [{}, 'and 6 is the least for acceptance.'],
    [{ threshold: '8' }, 'and 8 is the least for acceptance.'],
  ])('authors: %j', async (more, words) => {
    const { judge, asked } = listen();
    const given = { dimensions: 'gender', 'per-side': '1', soft: 'none', ...more };
    const plan = await createAuthorPlan(readSettings(authorSettings, given), [judge]);
    await Array.fromAsync(runPlan(plan, [plan.row.parse({ id: 'p', title: 'A Study', text })], run));
    expect(asked.every((user) => user.includes(words))).toBe(true);
    expect(asked).toHaveLength(4);
  });

  test.each([
    [{}, 'where 6 is just good enough for acceptance.'],
    [{ threshold: '8' }, 'where 8 is just good enough for acceptance.'],
  ])('perturb: %j', async (more, words) => {
    const { judge, asked } = listen();
    const given = { perturbations: 'review-conclusion', ...more };
    const plan = await createPerturbPlan(readSettings(perturbSettings, given), [judge]);
    const row = { id: 'p', title: 'A Study', text, reviews: [{ text: 'It is a good paper.', rating: 8 }] };
    await Array.fromAsync(runPlan(plan, [plan.row.parse(row)], run));
    expect(asked.every((user) => user.includes(words))).toBe(true);
    expect(asked).toHaveLength(2);
  });
});
