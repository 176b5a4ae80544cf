/**
 * How the verdicts of replies are read once a template is learned: a verdict that cannot be read is none, and none is read as
 * another one. A sample; `npm run bench:templates` reads all.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recogniseCase } from '../../src/case/recognise.ts';
import { createTemplateBook } from '../../src/case/templates/book.ts';
import { witnessIn } from '../../src/case/templates/recognition.ts';
import { JudgeTemplate } from './schema.ts';
import { isReadRight, promptOf, readingOf, replySchemaOf } from './truth.ts';

const SEEN = new URL('seen/', import.meta.url);
/** Learning all of them takes a minute. */
const EVERY = 9;

const templates = readdirSync(SEEN)
  .filter((file) => file.endsWith('.json'))
  .filter((_, at) => at % EVERY === 0)
  .map((file) => JudgeTemplate.parse(JSON.parse(readFileSync(new URL(file, SEEN), 'utf8'))));

/**
 * A list of which the client takes one entry, a category or a pass beside a score, or a scale between two texts that is kept as a number: which
 * of them is the verdict, only the client knows.
 */
const AS_ANOTHER = new Set([
  'agentuity-safety',
  'dspy-semantic-f1',
  'dspy-semantic-f1-decompositional',
  'five-point-preference',
  'habit-grant-letter-three-lines',
  'habit-hotel-lift-voice-guest-type',
  'habit-nl-rijmpje-bij-cadeau-som-van-twaalf',
  'inspect-evals-strong-reject',
  'mcp-server-tester-grounded',
  'mcp-server-tester-rubric',
  'triage-note-audit-0-10',
]);

test('no verdict is read as another one', { timeout: 240_000 }, () => {
  const wrong = new Set<string>();
  let read = 0;
  for (const { name, kind, requests } of templates) {
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => name });
    for (const [n, request] of requests.entries()) {
      const [prompt, schema] = [promptOf(request), replySchemaOf(request)];
      const origin = { tenant: '', path: request.path, schema };
      const guess = recogniseCase(prompt, { schema });
      if (n < 3) {
        const id = book.learn(origin, prompt, guess.guess);
        const reply = request.replies[n % request.replies.length];
        if (id !== null && reply) book.replied(id, { text: reply.text, read: null });
        continue;
      }
      const reading = book.read(origin, prompt, guess.guess, undefined, witnessIn(guess));
      const subject = !reading.acts ? guess.subject : reading.kind === 'case' ? reading.subject : null;
      if (kind === 'none' || !subject || !isReadRight(subject, request)) continue;
      for (const reply of request.replies) {
        read++;
        if (readingOf(subject, reply) === 'wrong') wrong.add(name);
      }
    }
  }
  expect(read).toBeGreaterThan(500);
  expect([...wrong].filter((name) => !AS_ANOTHER.has(name))).toEqual([]);
});
