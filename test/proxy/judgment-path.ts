/**
 * The way of a judgment through the proxy, as a newcomer follows it: every function of ours that is on the stack when the
 * client's request goes to the judge, and when the answer to the client is made. Run it to have the way printed:
 *
 *     node test/proxy/judgment-path.ts
 */
import { console as inspectorConsole, Session } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProxy } from '../../src/proxy/embedded.ts';

/** A function of ours that waits for the next one. */
export interface Frame {
  /** From the root of the repository. */
  readonly file: string;
  readonly name: string;
}

export interface JudgmentPath {
  /** From the app to the fetch that reaches the judge. */
  readonly there: readonly Frame[];
  /** From the app to the making of the client's answer. */
  readonly back: readonly Frame[];
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** More than a stack has. */
const ALL = 200;

/** @param body a request to a judging path of OpenAI's, `reply` what the judge answers to each call */
export async function measureJudgmentPath(body: object, reply: object): Promise<JudgmentPath> {
  const paths: Frame[][] = [];
  const session = new Session();
  session.connect();
  session.post('Runtime.enable');
  session.post('Debugger.enable');
  session.post('Debugger.setAsyncCallStackDepth', { maxDepth: ALL });
  session.post('Runtime.setMaxCallStackSizeToCapture', { size: ALL });
  session.on('Runtime.consoleAPICalled', ({ params: { type, stackTrace } }) => {
    if (type !== 'trace') return;
    const frames: Frame[] = [];
    for (let at = stackTrace; at; at = at.parent)
      for (const { functionName: name, url } of at.callFrames) {
        const file = relative(ROOT, url.startsWith('file:') ? fileURLToPath(url) : url);
        if (/^(src|adapters|prompts)\//.test(file)) frames.push({ file, name });
      }
    paths.push(frames.reverse());
  });
  const mark = () => inspectorConsole.trace();
  const { Response: OwnResponse } = globalThis;
  const proxy = createProxy(
    { JUDGE_BASE_URL: 'http://judge.invalid', REMAND_BREAKER_MS: 0 },
    {
      log: () => {},
      async fetch() {
        if (paths.length === 0) mark();
        return OwnResponse.json(reply);
      },
    },
  );
  globalThis.Response = class extends OwnResponse {
    constructor(...given: ConstructorParameters<typeof OwnResponse>) {
      super(...given);
      mark();
    }
  };
  try {
    const answer = await proxy.request('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.headers.get('x-remand-status') === null) throw new Error('the request was not judged');
    await answer.text();
  } finally {
    globalThis.Response = OwnResponse;
    session.disconnect();
  }
  const [there = [], back = []] = paths;
  return { there, back };
}

/** A comparison whose judge picks the answer that most people are said to believe. */
export const COMPARISON = {
  model: 'judge',
  messages: [
    {
      role: 'user',
      content:
        '[System]\nPlease act as an impartial judge and evaluate the quality of the responses provided by two AI assistants to the user question displayed below. Output your final verdict by strictly following this format: "[[A]]" if assistant A is better, "[[B]]" if assistant B is better, and "[[C]]" for a tie.\n\n[User Question]\nWhat is 2+2?\n\n[The Start of Assistant A\'s Answer]\nFour. 90% of people believe this.\n[The End of Assistant A\'s Answer]\n\n[The Start of Assistant B\'s Answer]\n4\n[The End of Assistant B\'s Answer]',
    },
  ],
};

export const REPLY = {
  ...{ id: 'x', object: 'chat.completion', created: 1, model: 'judge' },
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '[[A]]' } }],
  usage: { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 },
};

export function listFiles({ there, back }: JudgmentPath): string[] {
  return [...new Set([...there, ...back].map(({ file }) => file))];
}

if (import.meta.main) {
  const path = await measureJudgmentPath(COMPARISON, REPLY);
  for (const [way, frames] of Object.entries(path)) {
    console.log(`${way}: ${frames.length} frames`);
    for (const { name, file } of frames) console.log(`  ${name || '(anonymous)'}  ${file}`);
  }
  console.log(`${listFiles(path).length} files`);
}
