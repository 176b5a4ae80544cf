/** The functions that read what strangers write, each with what has to hold of whatever it read. */
import { CATALOGUE } from '../../../src/bias/index.ts';
import { type Checkpoint, ReadingTooLongError, runSteps } from '../../../src/case/checkpoint.ts';
import {
  applyEdits,
  asGiven,
  type Counterfactual,
  type Edit,
  editsFor,
  reversed,
  together,
} from '../../../src/case/counterfactual.ts';
import { recogniseCase } from '../../../src/case/recognise.ts';
import { createTemplateBook } from '../../../src/case/templates/book.ts';
import { matchTemplate } from '../../../src/case/templates/match.ts';
import { parseTemplate, printTemplate } from '../../../src/case/templates/template.ts';
import type { Case, Cue, Prompt, Verdict } from '../../../src/case/types.ts';
import { readVerdict, writeVerdict } from '../../../src/case/verdict.ts';
import { sameVerdict } from '../../../src/case/verdicts/index.ts';
import { readRbdAnalysis } from '../../../src/detect/rbd/read-analysis.ts';
import { layOut, neutralise } from '../../../src/detect/rbd/render-brief.ts';
import { InputError } from '../../../src/errors.ts';
import { JudgeError, UnreadableAnalysisError } from '../../../src/http/send.ts';
import { PROTOCOLS, type Protocol } from '../protocols.ts';
import { SEPARATOR, sampled } from './sample.ts';

/** What is wrong with what was read; null where all is well. */
export type Check = () => string | null | Promise<string | null>;

export interface Reader {
  readonly name: string;
  /**
   * Prepares one reading of a sample.
   *
   * @returns what reads, whose CPU time is measured, and gives the check; null where the sample holds nothing to read
   */
  readonly open: (sample: string) => (() => Check) | null;
}

const fine: Check = () => null;

/** @returns the value, or null where the error is one that the reader promises */
function expecting<T>(kinds: readonly (abstract new (...args: never[]) => Error)[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (kinds.some((kind) => error instanceof kind)) return null;
    throw error;
  }
}

function caseOf(sample: string): Case | null {
  const { prompt, schema, declared } = sampled(sample);
  return expecting([InputError], () => recogniseCase(prompt, { schema, declared }))?.subject ?? null;
}

/** The case of the sample before, since the replies to one prompt come one after the other. */
function remembering(): (sample: string) => Case | null {
  let last: readonly [prompt: string, subject: Case | null] | null = null;
  return (sample) => {
    const asked = sample
      .split(SEPARATOR)
      .filter((record) => !record.startsWith('r'))
      .join(SEPARATOR);
    if (last?.[0] !== asked) last = [asked, caseOf(asked)];
    return last[1];
  };
}

const cases: Reader = {
  name: 'case',
  open(sample) {
    const { prompt, schema, declared } = sampled(sample);
    return () => {
      const found = expecting([InputError], () => recogniseCase(prompt, { schema, declared }));
      return found?.subject ? () => wrongCase(found.subject) : fine;
    };
  },
};

function wrongCase(subject: Case): string | null {
  const { prompt, instruction, options, context, noteAt } = subject;
  const { parts } = prompt;
  const pieces = [...options, ...(instruction ? [instruction] : []), ...context];
  for (const { at } of pieces) {
    const length = parts[at.part]?.text.length ?? -1;
    if (at.start < 0 || at.start > at.end || at.end > length) return 'a piece outside its part';
  }
  for (const { text, at } of [...context, ...options.filter(({ nested = 0 }) => nested === 0)])
    if (parts[at.part]?.text.slice(at.start, at.end) !== text)
      return 'a piece that does not say what stands there';
  const spans = pieces.map(({ at }) => at).toSorted((a, b) => a.part - b.part || a.start - b.start);
  // Between the turns of an option that has several there may be texts of others; then the edits have to bear it.
  const turns = options.some(({ moves }) => moves);
  for (const [i, span] of turns ? [] : spans.entries()) {
    const next = spans[i + 1];
    if (next?.part === span.part && next.start < span.end) return 'pieces that overlap';
  }
  if (options.some(({ at }) => at.part === noteAt.part && noteAt.offset > at.start && noteAt.offset < at.end))
    return 'a note inside an option';
  if (noteAt.offset > (parts[noteAt.part]?.text.length ?? -1)) return 'a note outside its part';
  const labels = new Set(options.map(({ label }) => label));
  if (labels.size < options.length) return 'two options with one label';
  return wrongExchange(subject);
}

function wrongExchange(subject: Case): string | null {
  const { prompt, options } = subject;
  const unmoved = applyEdits(prompt, editsFor(subject, asGiven(subject)));
  if (!samePrompt(prompt, unmoved)) return 'nothing undone, and another prompt';
  const reworded = new Map(options.map((_, i) => [i, `word${i}`] as const));
  const without = new Map(subject.context.map((_, i) => [i, null] as const));
  applyEdits(prompt, editsFor(subject, { ...asGiven(subject), options: reworded, context: without }));
  if (options.length < 2) return null;
  // What moves has to be there once more, and nothing but the names of options in statements may be new.
  const swapped = applyEdits(prompt, editsFor(subject, reversed(subject)));
  for (const { at } of options) {
    const text = prompt.parts[at.part]?.text.slice(at.start, at.end) ?? '';
    if (!swapped.parts.some((part) => part.text.includes(text)) && !options.some(({ moves }) => moves))
      return 'an option that is lost when it is moved';
  }
  return null;
}

const samePrompt = (a: Prompt, b: Prompt) =>
  a.parts.length === b.parts.length && a.parts.every(({ text }, i) => b.parts[i]?.text === text);

const NEVER = new AbortController().signal;

const cues: Reader = {
  name: 'cues',
  open(sample) {
    const subject = caseOf(sample);
    if (subject === null) return null;
    return () => {
      const spotted = CATALOGUE.flatMap((bias) => bias.spot(subject));
      return () => wrongCues(spotted, subject);
    };
  },
};

async function wrongCues(spotted: readonly Cue[], subject: Case): Promise<string | null> {
  const { options, prompt } = subject;
  const bad = spotted.find(
    ({ favours, strength = 0.5 }) =>
      (favours !== 'any' && options[favours] === undefined) || !(strength >= 0 && strength <= 1),
  );
  if (bad) return `a cue of ${bad.bias} that cannot be`;
  const undone: Counterfactual[] = [reversed(subject)];
  for (const cue of spotted) {
    const bias = CATALOGUE.find(({ name }) => name === cue.bias);
    const one = await bias?.undo(subject, cue, { rewrite: null, signal: NEVER });
    if (!one) continue;
    undone.push(one);
    // Each has to be one that a request can be edited to.
    applyEdits(prompt, editsFor(subject, one));
  }
  applyEdits(prompt, editsFor(subject, together(subject, undone)));
  return null;
}

function verdicts(): Reader {
  const caseBefore = remembering();
  return {
    name: 'verdict',
    open(sample) {
      const subject = caseBefore(sample);
      if (subject === null) return null;
      const { reply } = sampled(sample);
      return () => {
        const verdict = readVerdict(reply, subject.form, subject.options);
        return () => wrongVerdict(verdict, reply, subject);
      };
    },
  };
}

function wrongVerdict(verdict: Verdict, reply: string, { options, form }: Case): string | null {
  if (verdict.text !== reply) return 'a verdict with another text';
  if (verdict.kind === 'choice' && options[verdict.option] === undefined) return 'a choice of no option';
  if (verdict.kind === 'score' && !Number.isFinite(verdict.score)) return 'a score that is no number';
  if (verdict.kind === 'score' && form.kind === 'score') {
    const { min, max } = form;
    if ((min !== null && verdict.score < min) || (max !== null && verdict.score > max))
      return `a score off the scale: ${verdict.score}`;
  }
  if (verdict.kind === 'scores' && verdict.scores.length !== options.length)
    return 'scores for another number of options';
  if (verdict.kind === 'none') return null;
  const own = writeVerdict(verdict, form, options);
  if (own === null) return null;
  return sameVerdict(readVerdict(own, form, options), verdict)
    ? null
    : 'a verdict that is read as another once it is written';
}

/** Of a learning, in milliseconds of CPU time: the rest of a reading's is for what lies between two checkpoints. */
const LEARN_MS = 25;

function checkpoint(): Checkpoint {
  const began = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(began);
    if ((user + system) / 1_000 > LEARN_MS) throw new ReadingTooLongError('learning takes too long');
  };
}

const ORIGIN = { tenant: '', path: '/v1/chat/completions' };

/** A template is learned from all of a sample's texts, each a request of its own; by it the last is read. */
const templates: Reader = {
  name: 'template',
  open(sample) {
    const { prompt, schema } = sampled(sample);
    const requests = prompt.parts.map((part) => ({ parts: [{ ...part, role: 'user' }] }));
    const last = requests.pop();
    const before = requests.pop();
    if (!last || !before) return null;
    let ids = 0;
    const book = createTemplateBook({ templates: [], learn: 'auto', id: () => String(ids++) });
    const origin = { ...ORIGIN, schema };
    const learn = (one: Prompt) =>
      expecting([ReadingTooLongError], () => runSteps(book.learning(origin, one, null, checkpoint())));
    for (const one of requests) learn(one);
    return () => {
      learn(before);
      const reading = book.read(origin, last, null);
      return () => {
        for (const { template, samples } of book.pipelines()) {
          if (template === null) continue;
          if (
            JSON.stringify(printTemplate(parseTemplate(printTemplate(template)))) !==
            JSON.stringify(printTemplate(template))
          )
            return 'a template that is another once it is stored';
          if (!samples.every((one) => matchTemplate(template, one.prompt)))
            return 'a template that does not fit what it was learned from';
        }
        return reading.kind === 'case' ? wrongCase(reading.subject) : null;
      };
    };
  },
};

/** How the case and a verdict on it are laid out for a detector. */
function briefs(): Reader {
  const caseBefore = remembering();
  return {
    name: 'brief',
    open(sample) {
      const subject = caseBefore(sample);
      if (subject === null) return null;
      const verdict = readVerdict(sampled(sample).reply, subject.form, subject.options);
      return () => {
        const laid = expecting([InputError], () =>
          layOut({ subject, verdict, swapped: verdict, biases: CATALOGUE }),
        );
        return () =>
          CLOSES_THOUGHT.test(laid?.choices ?? '') ? 'a thought is still opened or closed' : null;
      };
    },
  };
}

const CLOSES_THOUGHT = /<\s*\/?\s*think(?:ing)?\s*>/i;

const analyses: Reader = {
  name: 'analysis',
  open(sample) {
    const { reply } = sampled(sample);
    return () => {
      const read = expecting([UnreadableAnalysisError], () =>
        readRbdAnalysis({ reasoning: null, content: reply, finish: 'stop' }),
      );
      return () =>
        read !== null && !reply.includes(read.said) ? 'a label that the detector did not say' : null;
    };
  },
};

const harmless: Reader = {
  name: 'neutralise',
  open(sample) {
    const { reply } = sampled(sample);
    return () => {
      const safe = neutralise(reply);
      return () => (CLOSES_THOUGHT.test(safe) ? 'a thought is still opened or closed' : null);
    };
  },
};

/** Of a sample `name way`, a separator and the body: `s` for a stream, `w` for a whole reply. */
function spoken(sample: string): { protocol: Protocol; stream: boolean; body: string } | null {
  const at = sample.indexOf(SEPARATOR);
  const [name, way] = sample.slice(0, Math.max(0, at)).split(' ');
  const protocol = PROTOCOLS.find(({ adapter }) => adapter.name === name);
  return protocol ? { protocol, stream: way === 's', body: sample.slice(at + 1) } : null;
}

const requests: Reader = {
  name: 'request',
  open(sample) {
    const asked = spoken(sample);
    if (!asked) return null;
    const { adapter, path } = asked.protocol;
    const target = path(asked.stream);
    const read = (body: string) => expecting([InputError], () => adapter.readRequest(body, target));
    return () => {
      const request = read(asked.body);
      if (request === null) return fine;
      const { prompt, schema, declared } = request;
      const found = expecting([InputError], () => recogniseCase(prompt, { schema, declared }));
      const subject = found?.subject ?? null;
      return () => {
        if (declared === undefined && !asked.body.includes('"remand"') && request.body !== asked.body)
          return 'another body than was sent';
        if (request.edited([]) !== request.body) return 'no edits, and another body';
        if (subject === null) return null;
        const edits: Edit[] = editsFor(subject, reversed(subject));
        const again = read(request.edited(edits, { steady: true }));
        if (again === null) return 'an edited request that cannot be read';
        return samePrompt(again.prompt, applyEdits(prompt, edits)) ? null : 'an edit that did something else';
      };
    };
  },
};

/** A verdict that takes escaping in JSON. */
const WRITTEN = '[["A\\"]]\n\u2028';

const replies: Reader = {
  name: 'reply',
  open(sample) {
    const sent = spoken(sample);
    if (!sent) return null;
    const { body, stream } = sent;
    const { adapter } = sent.protocol;
    const read = (text: string) => expecting([JudgeError], () => adapter.readReply(text, stream));
    return () => {
      const reply = read(body);
      if (reply === null) return fine;
      return () => {
        if (adapter.withUsage(body, stream, []) !== body) return 'no usage added, and other bytes';
        const { usage, texts } = reply;
        const said = expecting([InputError, JudgeError], () => adapter.withText(body, stream, WRITTEN));
        const rewritten = said === null || said === body ? null : read(said);
        if (rewritten?.texts.some((text, i) => text !== WRITTEN && text !== texts[i]))
          return 'a verdict that was written into a reply is read as another';
        if (usage === null) return null;
        // A reply too odd to be changed goes out as it came.
        const changed = expecting([InputError], () => adapter.withUsage(body, stream, [usage])) ?? body;
        const same = read(changed)?.texts.join(SEPARATOR) === reply.texts.join(SEPARATOR);
        return same ? null : 'another text where usage was added';
      };
    };
  },
};

export const READERS: readonly Reader[] = [
  cases,
  cues,
  verdicts(),
  briefs(),
  templates,
  briefs(),
  analyses,
  harmless,
  requests,
  replies,
];

export function readerNamed(name: string): Reader {
  const reader = READERS.find((one) => one.name === name);
  if (!reader) throw new RangeError(`no reader ${name}: ${READERS.map((one) => one.name).join(', ')}`);
  return reader;
}
