/** The cases behind an audit of cues: verdicts that flipped, with the texts, what stood beside them, and the reasons. */
import { dirname, join } from 'node:path';
import { LETTERS } from '../../../prompts/index.ts';
import { type AuditPair, auditPair, type CueRecord, cueRecord } from '../../audit/index.ts';
import { readJsonl } from '../../records/node.ts';
import { type CaseGroup, type CueAuditResult, nameCueGroup, type ShownCase } from '../../report/index.ts';
import { createCaseGatherer } from './gather-cases.ts';

/**
 * @param path of the verdicts; the texts are looked for beside them
 * @returns by the name of the group of bars; no more cases are held than are shown
 * @throws InputError naming the line that is wrong
 */
export async function readCueCases(
  path: string,
  { cues = [] }: CueAuditResult,
): Promise<ReadonlyMap<string, readonly CaseGroup[]>> {
  const cases = createCaseGatherer<CueRecord>();
  const wanted = new Map<string, AuditPair | null>();
  for await (const record of readJsonl(path, cueRecord)) {
    const outcome = outcomeOf(record);
    if (outcome === null) continue;
    const place = { group: nameCueGroup(record), behind: record.cues.join('/'), outcome };
    if (cases.add(place, record)) wanted.set(keyOf(record), null);
  }
  // Only the texts that are shown are held.
  for await (const pair of readJsonl(join(dirname(path), 'pairs.jsonl'), auditPair))
    if (wanted.has(keyOf(pair))) wanted.set(keyOf(pair), pair);
  const wording = new Map(cues.map(({ name, wording: text }) => [name, text]));
  return cases.groups((record, outcome) => {
    const pair = wanted.get(keyOf(record));
    return pair ? shownCase(record, pair, outcome, (cue) => wording.get(cue) ?? cue) : null;
  });
}

const keyOf = ({ dataset, id }: { readonly dataset: string; readonly id: string }) =>
  JSON.stringify([dataset, id]);

/** Null for what is behind no bar: a verdict that stayed, and a comparison that failed. */
function outcomeOf({ cues, as_given: given, exchanged: turned }: CueRecord): string | null {
  if (!given || !turned) return null;
  if (!given.selected || !turned.selected) return 'no verdict';
  if (given.selected === turned.selected) return null;
  return `follows "${given.selected === 'first' ? cues[0] : cues[1]}"`;
}

function shownCase(
  { id, cues, as_given, exchanged }: CueRecord,
  { instruction, texts, kind }: AuditPair,
  outcome: string,
  wording: (cue: string) => string,
): ShownCase {
  const options = texts.map((text, index) => {
    const name = `${kind === 'story' ? 'Story' : 'Response'} ${LETTERS[index]}`;
    const [given = '', turned = ''] = index === 0 ? cues : cues.toReversed();
    const said = (cue: string) => `“${wording(cue).replaceAll('{text}', name)}”`;
    return { label: `${name}, with ${said(given)}, then with ${said(turned)}`, text, right: false };
  });
  const step = (what: string, said: CueRecord['as_given']) => {
    const verdict =
      said?.selected === 'first'
        ? (LETTERS[0] ?? '')
        : said?.selected === 'second'
          ? (LETTERS[1] ?? '')
          : null;
    return verdict === null
      ? {
          what: `${what}: no verdict that could be read (${said?.unread ?? 'none came'}).`,
          text: said?.text ?? null,
        }
      : { what: `${what} it selected ${verdict}. Its reason:`, text: said?.reason ?? null };
  };
  return {
    behind: cues.join('/'),
    outcome,
    id,
    instruction,
    context: [],
    options,
    steps: [step('First', as_given), step('With the two exchanged', exchanged)],
  };
}
