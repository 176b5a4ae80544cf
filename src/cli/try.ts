/** `remand try`: one request to the sandbox judge, alone and behind Remand, and what happened. Needs no key and no network. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import * as z from 'zod';
import { InputError } from '../errors.ts';
import { readText, sendRequest } from '../http/index.ts';
import { runtimeFetch } from '../ports.ts';
import { readConfig } from '../proxy/config.ts';
import { type RunningServer, startServer } from '../proxy/server.ts';
import { askAboutSum, computeArithmetic, SANDBOX_DEMO } from '../sandbox/index.ts';
import { asText, type CommandCall, type CommandOption, createCommand, flag, optional } from './command.ts';
import { stopSignal } from './serve.ts';
import { tell } from './terminal.ts';

/** From this module, as source and as built. */
const SAMPLES = `${extname(import.meta.url) === '.ts' ? '../..' : '../../..'}/training-data/sample`;

export const tryCommand = createCommand(
  {
    question: optional(asText, 'a sum of your own: "What is 12*12?", "Wie viel ist 12*12?"'),
    keep: flag('keep the server until it is stopped, so that the story can be read'),
    samples: flag('ask nothing: copy the sample files of the documentation to training-data/sample'),
  },
  async (call) => {
    if (call.args.samples) {
      const copy = 'training-data/sample';
      await cp(new URL(SAMPLES, import.meta.url), copy, { recursive: true, force: false });
      return call.print({ samples: copy }, () => `${copy} has the sample files\n`);
    }
    const trial = readTrial(call.args.question);
    const folder = await mkdtemp(join(tmpdir(), 'remand-try-'));
    try {
      // Nothing of the environment: what a real judge would cost is not spent on a demonstration.
      const traces = join(folder, 'traces.sqlite');
      const config = readConfig({ HOST: '127.0.0.1', PORT: '0', REMAND_TRACES: traces }, null);
      const server = await startServer(config, () => undefined);
      try {
        await show(server, trial, call);
      } finally {
        await server.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

type TryCall = Pick<CommandCall<{ readonly keep: CommandOption<boolean> }>, 'args' | 'print'>;

interface SumTrial {
  readonly request: typeof SANDBOX_DEMO;
  /** Why (b) is right. */
  readonly why: string;
}

/** @throws InputError for a question that the simulation cannot check */
function readTrial(question: string | undefined): SumTrial {
  if (question === undefined) return { request: SANDBOX_DEMO, why: '17*23 is 391' };
  const right = computeArithmetic(question);
  if (right === null)
    throw new InputError(
      '--question',
      'must be one sum and nothing else, such as "What is 12*12?": the simulation knows no other truth',
    );
  // As a judge rounds it, and off by ten.
  const [wrong, sum] = [right + 10, right].map((value) => String(Number(value.toFixed(2))));
  const worked = `Worked out step by step, it comes to ${wrong}. The answer is ${wrong}.`;
  const request = askAboutSum(question, worked, `It comes to ${sum}. The answer is ${sum}.`);
  return { request, why: `It is ${sum}` };
}

async function show(server: RunningServer, trial: SumTrial, { args, print }: TryCall): Promise<void> {
  const alone = await ask(server.url, trial, 'off');
  const behind = await ask(server.url, trial, 'debias');
  const story = `${server.pagesUrl}/remand/traces/${behind.trace}`;
  const { verdict, status, biases, calls } = behind;
  print({ alone: alone.verdict, behind: verdict, status, biases, calls, url: server.url, story }, () =>
    inWords(trial, alone, behind),
  );
  if (!args.keep) return;
  tell(`The story of it: ${story}\nCtrl-C ends this.\n`);
  await stopSignal();
}

interface TrialAnswer {
  readonly verdict: string;
  readonly status: string;
  readonly biases: readonly string[];
  readonly calls: number;
  readonly trace: string;
}

const Reply = z.object({ choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })]) });

/** Milliseconds and bytes, far more than the simulation takes. */
const LONGEST_MS = 60_000;
const LARGEST_REPLY = 1 << 20;

/** @throws JudgeError where the proxy does not answer as it should */
async function ask(url: string, { request }: SumTrial, mode: 'off' | 'debias'): Promise<TrialAnswer> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  const response = await sendRequest(runtimeFetch, `${url}/v1/chat/completions`, {
    method: 'POST',
    headers: new Headers({ 'content-type': 'application/json', 'x-remand-mode': mode }),
    body: JSON.stringify(request),
    signal,
  });
  const text = await readText(response, { maxBytes: LARGEST_REPLY, again: false, signal });
  const { choices } = Reply.parse(JSON.parse(text));
  const { headers } = response;
  return {
    verdict: choices[0].message.content.trim(),
    status: headers.get('x-remand-status') ?? '',
    biases: (headers.get('x-remand-biases') ?? '').split(',').filter((name) => name !== ''),
    calls: Number(headers.get('x-remand-calls') ?? 1),
    trace: headers.get('x-remand-trace') ?? '',
  };
}

function inWords({ request, why }: SumTrial, alone: TrialAnswer, behind: TrialAnswer): string {
  const question = request.messages.map(({ content }) => content.replace(/^/gm, '  ')).join('\n');
  return `The judge is a simulation that is swayed on purpose. It is asked:

${question}

  the judge alone   ${alone.verdict}
  behind Remand     ${behind.verdict}   (${behind.status}; ${behind.biases.join(', ')}; ${behind.calls} calls)

${why}, so (b) is right. Remand took the statement out and asked again, in both orders. The verdict changed, so
the case went back to the same judge with that reason.

With your own judge:
  JUDGE_BASE_URL=https://api.openai.com npx remand serve
  and in your client, the one line that changes: base_url="http://localhost:8787/v1"
  To see this story in a browser: npx remand try --keep
`;
}
