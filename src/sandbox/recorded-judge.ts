/**
 * The recorded judge: an endpoint that answers with what a real judge once replied to the same case. Give it
 * as `JUDGE_BASE_URL=recorded:verdicts.jsonl?items=items.jsonl&judge=GPT-4&strategy=Swap`.
 */
import { findRemand } from '../../prompts/index.ts';
import type { TextRange } from '../case/index.ts';
import { InputError } from '../errors.ts';
import { JudgeError } from '../http/index.ts';
import type { Fetch } from '../ports.ts';
import { createEndpoint } from './endpoint.ts';
import type { RecordPaths } from './node.ts';
import type { Records, Voice } from './recorded/records.ts';

export { createRecords } from './recorded/records.ts';

/** A base URL's files and whose replies in them are meant. */
interface RecordedUrl extends RecordPaths, Voice {}

/**
 * Reads `recorded:<verdicts>?items=<items>&judge=<judge>&strategy=<strategy>`. Paths may be percent-encoded;
 * a plus sign is a plus sign.
 *
 * @returns null where the URL is not of this kind
 * @throws InputError naming what it lacks
 */
export function parseRecordedUrl(url: string): RecordedUrl | null {
  const match = /^recorded:([^?]*)\??(.*)$/s.exec(url);
  if (!match) return null;
  const [, path = '', query = ''] = match;
  const given = new URLSearchParams(query.replaceAll('+', '%2B'));
  const need = (name: string) => {
    const value = given.get(name);
    if (!value) throw new InputError(name, `is missing from ${url}; the form is ${FORM}`);
    return value;
  };
  if (path === '') throw new InputError('verdicts', `the file is missing from ${url}; the form is ${FORM}`);
  return {
    verdicts: decodedPath(path),
    items: need('items'),
    judge: need('judge'),
    strategy: need('strategy'),
  };
}

const FORM = 'recorded:<verdicts.jsonl>?items=<items.jsonl>&judge=<name>&strategy=<name>';

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    // A bare percent sign: the path is written as it is.
    return path;
  }
}

/**
 * A request with a remand note gets the second round's reply, any other one the first round's.
 *
 * @throws InputError where nothing was recorded of this judge and strategy
 */
export function createRecordedJudge(records: Records, voice: Voice): Fetch {
  if (!records.voices.some(({ judge, strategy }) => judge === voice.judge && strategy === voice.strategy)) {
    const known = records.voices.map(({ judge, strategy }) => `${judge}/${strategy}`).join(', ');
    throw new InputError(
      'judge',
      `nothing is recorded of ${voice.judge}/${voice.strategy}; there is ${known}`,
    );
  }
  return createEndpoint({
    models: [voice.judge],
    answer({ prompt, samples: { field, count } }) {
      if (count > 1) {
        throw new InputError(field, `one reply was recorded for each case, so ${field} must be 1`);
      }
      const text = recordedReply(records, voice, prompt.parts.map((part) => part.text).join('\n\n'));
      // Nobody counted the tokens then, and a guess would be taken for a count.
      return { text, model: voice.judge, fingerprint: `recorded-${voice.strategy}`, tokens: null };
    },
  });
}

function recordedReply(records: Records, voice: Voice, prompt: string): string {
  const found = records.identify(prompt);
  if (!found)
    throw notFound('the prompt shows none of the recorded items with its instruction and both outputs');
  const rounds = records.lookup(voice, found.id);
  if (!rounds) throw notFound(`${voice.judge}/${voice.strategy} did not judge ${found.id}`);
  const asked = findRemand(without(prompt, found.at)) ? 1 : 0;
  const round = rounds[asked];
  if (!round)
    throw notFound(`${voice.judge}/${voice.strategy} was not asked about ${found.id} a second time`);
  return round[found.order].text;
}

/** The prompt around the item's own texts, which may themselves look like a note. */
function without(prompt: string, places: readonly TextRange[]): string {
  const sorted = places.toSorted((a, b) => a.start - b.start);
  const starts = [0, ...sorted.map((place) => place.end)];
  const ends = [...sorted.map((place) => place.start), prompt.length];
  return starts.map((start, i) => prompt.slice(start, ends[i])).join('\n');
}

function notFound(why: string): JudgeError {
  return new JudgeError(`no recorded reply: ${why}`, { status: 404 });
}
