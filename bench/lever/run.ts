/** How often a verdict is turned, with the loop as the proxy runs it: over HTTP, in process, for one setting. */
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { CATALOGUE } from '../../src/bias/index.ts';
import type { Fetch } from '../../src/ports.ts';
import { createDetectorFactory, createProxy, readConfig } from '../../src/proxy/embedded.ts';
import { createEndpoint } from '../../src/sandbox/endpoint.ts';
import type { LeverCase } from './cases.ts';
import { type JudgeName, judgeOf } from './judges.ts';

export interface Setting {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Of the verdicts that were right, and of those that were wrong, without Remand. */
export interface Lever {
  readonly right: number;
  readonly wrong: number;
  readonly rightToWrong: number;
  readonly rightToTie: number;
  readonly wrongToRight: number;
  /** Scenarios in which a right verdict was turned wrong. */
  readonly where: readonly string[];
}

type Decision = 'right' | 'wrong' | 'tie' | null;

const DETECTOR = 'http://detector.invalid';

/** A detector model that finds every verdict biased. */
const alarmed: Fetch = createEndpoint({
  models: ['alarmed'],
  answer: () => ({
    text: '<think>The verdict follows the length of the answer.</think> Yes',
    model: 'alarmed',
    fingerprint: 'simulation',
    tokens: null,
  }),
});

export async function leverOf(
  name: JudgeName,
  { settings }: Setting,
  cases: readonly LeverCase[],
): Promise<Lever> {
  const lever = { right: 0, wrong: 0, rightToWrong: 0, rightToTie: 0, wrongToRight: 0 };
  const where = new Set<string>();
  let judge: Fetch = alarmed;
  const fetch: Fetch = (url, init) => (url.startsWith(DETECTOR) ? alarmed : judge)(url, init);
  const given = { JUDGE_BASE_URL: 'http://judge.invalid', REMAND_TRACES: 'off', ...settings };
  const detector = createDetectorFactory(readConfig(given), fetch);
  const proxy = createProxy(given, { fetch, detector, log: () => undefined });
  for (const one of cases) {
    judge = judgeOf(name, one);
    const { body } = openaiChat.compose({
      model: 'judge',
      system: one.system,
      user: one.user,
      parameters: { temperature: 0 },
    });
    const asked = { method: 'POST', headers: new Headers({ 'content-type': 'application/json' }), body };
    const alone = await judge('http://judge.invalid/v1/chat/completions', asked);
    const before = decisionIn(await alone.text(), one);
    if (before !== 'right' && before !== 'wrong') continue;
    const response = await proxy.request('http://127.0.0.1/v1/chat/completions', asked);
    if (response.status !== 200)
      throw new Error(`the proxy answered ${response.status}: ${await response.text()}`);
    const after = decisionIn(await response.text(), one);
    lever[before]++;
    if (before === 'right' && after === 'wrong') {
      lever.rightToWrong++;
      where.add(one.scenario);
    }
    if (before === 'right' && after === 'tie') lever.rightToTie++;
    if (before === 'wrong' && after === 'right') lever.wrongToRight++;
  }
  return { ...lever, where: [...where] };
}

function decisionIn(reply: string, { labels, tie, rightAt }: LeverCase): Decision {
  const [text = ''] = openaiChat.readReply(reply, false).texts;
  if (tie !== null && text.includes(tie)) return 'tie';
  const place = labels.findIndex((label) => text.includes(label));
  return place < 0 ? null : place === rightAt ? 'right' : 'wrong';
}

const POLICIES = ['last-word', 'counterfactual', 'tie', 'original'];

const calibrated = (action: 'flag' | 'tie') =>
  JSON.stringify({
    version: 1,
    threshold: 0.8,
    judges: {
      judge: Object.fromEntries(
        CATALOGUE.map(({ name }) => [
          name,
          {
            action,
            why: 'set for this table',
            judgments: 100,
            sent_back: 10,
            wrong_to_right: 0,
            right_to_wrong: 5,
            probability_of_gain: 0.01,
            gain: { value: -0.05, interval: { low: -0.1, high: -0.01 } },
            cases_to_settle: 0,
          },
        ]),
      ),
    },
  });

const inWords = (rounds: number) => (rounds === 1 ? '1 round' : `${rounds} rounds`);

const RBD = { REMAND_DETECTOR: 'rbd', RBD_BASE_URL: DETECTOR, RBD_MODEL: 'alarmed' };

export const DEFAULTS: Setting = { name: 'the defaults', settings: {} };

export const SETTINGS: readonly Setting[] = [
  DEFAULTS,
  ...[0, 1, 2, 3].flatMap((rounds) =>
    POLICIES.map((policy) => ({
      name: `probe, ${inWords(rounds)}, ${policy}`,
      settings: { REMAND_ROUNDS: String(rounds), REMAND_POLICY: policy },
    })),
  ),
  ...(['flag', 'tie'] as const).map((action) => ({
    name: `probe, calibrated to ${action}`,
    settings: { REMAND_CALIBRATION: calibrated(action) },
  })),
  { name: 'rules', settings: { REMAND_DETECTOR: 'rules' } },
  ...[1, 2, 3].flatMap((rounds) =>
    POLICIES.map((policy) => ({
      name: `a detector that always says Yes, ${inWords(rounds)}, ${policy}`,
      settings: { ...RBD, REMAND_ROUNDS: String(rounds), REMAND_POLICY: policy },
    })),
  ),
  ...(['flag', 'tie'] as const).map((action) => ({
    name: `a detector that always says Yes, calibrated to ${action}`,
    settings: { ...RBD, REMAND_CALIBRATION: calibrated(action) },
  })),
];
