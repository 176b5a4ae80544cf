/**
 * The form of a verdict from the replies of a template, where its texts do not tell: what the replies have in common
 * around the name of an option (`Gewinner: B`, `<verdict>2</verdict>`, `最终结论：甲`).
 */
import { labelKey } from '../counterfactual.ts';
import type { Verdict, VerdictForm } from '../types.ts';
import { readVerdict } from '../verdict.ts';
import { formFromFile, type VerdictFile } from '../verdicts/index.ts';
import { asObject, isBeside, type JsonObject, jsonIn } from '../verdicts/reading/json.ts';
import { ownWords } from '../verdicts/reading/own-words.ts';
import { CLOSES } from './tokens.ts';
import { namesWinner } from './vocabulary.ts';

/** Replies that are looked at before a form is believed. */
export const LEAST_REPLIES = 3;
/** Share of the replies that a form must read. */
const LEAST_READ = 0.95;
/** Characters of a frame in front of a name, or behind it. */
const LONGEST_FRAME = 40;
/** Lines at the end of a reply in which the verdict is looked for. */
const LINES = 20;
const LONGEST_LINE = 400;

type Choice = Extract<VerdictFile, { kind: 'choice' }>;

/** A name of an option as it stands in a reply. */
interface Place {
  readonly option: number;
  readonly written: string;
  readonly before: string;
  readonly after: string;
}

/**
 * @param replies what the judge said, the latest last
 * @param labels the options' names, in order; of one answer whatever it is called
 * @param orders the template's own words, which may announce what is replied
 * @returns null where no one form reads 95 % of the replies, or all of them say the same
 *
 * @example formFromReplies(['Gewinner: B', 'Gewinner: A', 'Gewinner: B'], ['A', 'B']) // { template: 'Gewinner: {}', … }
 */
export function formFromReplies(
  replies: readonly string[],
  labels: readonly string[],
  orders = '',
): VerdictFile | null {
  if (replies.length < LEAST_REPLIES) return null;
  const said = replies.map(withoutThinking);
  const candidates =
    labels.length > 1
      ? [
          ...inFields(said, labels),
          ...inScores(said, labels),
          ...inOrders(said, labels),
          ...inFrames(said, labels),
        ]
      : [...formsOfOne(said, orders), ...inLists(said)];
  return candidates.find((form) => fits(form, replies, labels)) ?? null;
}

/** As it was written: full-width signs belong to the client's form. */
const withoutThinking = (reply: string) =>
  'none' in ownWords(reply) ? '' : (reply.split(/<\/think(?:ing)?>/i).at(-1) ?? '');

/**
 * Whether a form reads nearly all replies. Where none came, none speaks against it.
 *
 * @param labels the options' names, or the one of the judged text
 */
export function readsReplies(
  form: VerdictForm,
  replies: readonly string[],
  labels: readonly string[],
): boolean {
  const read = verdictsIn(form, replies, labels).filter(({ kind }) => kind !== 'none').length;
  return replies.length === 0 || (read > 0 && read >= LEAST_READ * replies.length);
}

export function verdictsIn(
  form: VerdictForm,
  replies: readonly string[],
  labels: readonly string[],
): Verdict[] {
  const options = labels.map((label) => ({ label }));
  return replies.map((reply) => readVerdict(reply, form, options));
}

/** Nearly all are read, not all alike, and none in another way than its words were read without the form. */
function fits(form: VerdictFile, replies: readonly string[], labels: readonly string[]): boolean {
  const read = formFromFile(form);
  if (!readsReplies(read, replies, labels)) return false;
  const verdicts = verdictsIn(read, replies, labels);
  if (form.kind !== 'choice') return true;
  const options = verdicts.flatMap((verdict) => (verdict.kind === 'choice' ? [verdict.option] : []));
  const inWords = verdictsIn(formFromFile({ kind: 'choice' }), replies, labels);
  const agree = inWords.every((words, n) => {
    const verdict = verdicts[n];
    return words.kind !== 'choice' || verdict?.kind !== 'choice' || words.option === verdict.option;
  });
  return agree && new Set(options).size > 1;
}

/** Fields of JSON that hold the name of an option in nearly all replies. */
function inFields(replies: readonly string[], labels: readonly string[]): Choice[] {
  return valuesByField(replies).flatMap(([field, written]) => {
    const places = written.flatMap((text) => {
      const option = optionNamed(text, labels);
      return option < 0 ? [] : [{ option, written: text.trim() }];
    });
    const others = new Set(written.filter((text) => optionNamed(text, labels) < 0));
    const [tie, ...more] = others;
    // One value that names no option is a tie, where each option was named as well.
    const named = new Set(places.map(({ option }) => option));
    if (written.length < LEAST_READ * replies.length || more.length > 0) return [];
    if (tie !== undefined && (named.size < labels.length || tie.trim() === '' || tie.length > LONGEST_FRAME))
      return [];
    const spelled = spellings(places, labels);
    return spelled
      ? [{ kind: 'choice' as const, labels: spelled, field, ...(tie !== undefined && { tie }) }]
      : [];
  });
}

/** A number for each option, in fields of JSON that have its name: `{"A": 90, "B": 20}`. */
function inScores(replies: readonly string[], labels: readonly string[]): VerdictFile[] {
  const numbers = valuesByField(replies).filter(([, written]) => written.every((text) => NUMBER.test(text)));
  const fields = labels.map((_, option) =>
    numbers.filter(([name]) => optionNamed(name.replaceAll('_', ' '), labels) === option),
  );
  return fields.every((named) => named.length === 1)
    ? [{ kind: 'scores', fields: fields.flat().map(([name]) => name) }]
    : [];
}

const NUMBER = /^-?\d{1,4}(?:\.\d{1,4})?$/;

/** All options in an order, the best first: `S2 > S1 > S3`, `{"order": ["b", "a"]}`. */
function inOrders(replies: readonly string[], labels: readonly string[]): VerdictFile[] {
  const lists = listsByField(replies).filter(([, lists]) =>
    lists.every((list) => list.length === labels.length),
  );
  const rows = replies.map((reply) => reply.split('\n').findLast((line) => line.includes('>')) ?? '');
  const separator = /\s{0,2}>\s{0,2}/.exec(rows[0] ?? '')?.[0];
  const inRows = separator === undefined ? [] : rows.map((row) => row.split('>').map((name) => name.trim()));
  return [...lists.map(([field, all]) => ({ field, all })), { field: undefined, all: inRows }].flatMap(
    ({ field, all }) => {
      const places = all.flat().map((written) => ({ written, option: optionNamed(written, labels) }));
      const spelled = places.every(({ option }) => option >= 0) ? spellings(places, labels) : null;
      if (!spelled || all.length < LEAST_READ * replies.length) return [];
      const between = field === undefined ? (separator ?? '') : ', ';
      return [
        {
          kind: 'ranking' as const,
          labels: spelled,
          separator: between,
          ...(field !== undefined && { field }),
        },
      ];
    },
  );
}

/** The fields of JSON that hold a list of words, with the lists. */
function listsByField(replies: readonly string[]): [string, string[][]][] {
  const objects = replies.flatMap((reply) => jsonIn(reply).objects.slice(0, 1));
  const names = new Set(objects.flatMap((object) => Object.keys(object)));
  return [...names]
    .map((name): [string, string[][]] => [
      name,
      objects.flatMap((object) => {
        const list = object[name];
        return Array.isArray(list) && list.every((one) => typeof one === 'string') ? [list] : [];
      }),
    ])
    .filter(([, lists]) => lists.length >= LEAST_READ * replies.length);
}

/**
 * The words that the judge says where it decides, by place: the values of one field, the entries of one list, what
 * stands behind one label.
 */
export function wordsDecided(replies: readonly string[]): string[][] {
  const said = replies.map(withoutThinking);
  const rows = said.map((reply) => (reply.split('\n').at(-1) ?? '').split('>').map((name) => name.trim()));
  return [
    ...listsByField(said).map(([, lists]) => lists.flat()),
    ...valuesByField(said).map(([, written]) => written),
    ...[...valuesByFrame(said).values()],
    ...(rows.every((row) => row.length > 1) ? [rows.flat()] : []),
  ].map((words) => [...new Set(words.map((word) => word.trim()))]);
}

/** The fields of JSON that hold a word or a number in nearly all replies, with what stands in them. */
function valuesByField(replies: readonly string[]): [string, string[]][] {
  const values = replies.flatMap((reply) => jsonIn(reply).objects.slice(0, 1).map(wordsIn));
  const names = new Set(values.flatMap((object) => [...object.keys()]));
  return [...names]
    .map((name): [string, string[]] => [name, values.flatMap((object) => object.get(name) ?? [])])
    .filter(([, written]) => written.length >= LEAST_READ * replies.length);
}

/** Objects in objects that are looked into. */
const DEEPEST = 3;

/** What stands under a name once, however deep; a field is read by its name alone. */
function wordsIn(object: JsonObject): Map<string, string> {
  const found = new Map<string, string | null>();
  const look = (inner: object, depth: number) => {
    for (const [name, value] of Object.entries(inner)) {
      const isWord = !Array.isArray(inner) && /^(?:string|number|boolean)$/.test(typeof value);
      if (isWord && name !== '' && name.length <= LONGEST_FRAME)
        found.set(name, found.has(name) ? null : String(value));
      else if (typeof value === 'object' && value !== null && depth < DEEPEST) look(value, depth + 1);
    }
  };
  look(object, 1);
  return new Map([...found].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
}

/** Words of which one was replied, before it is taken for a text. */
const MOST_CATEGORIES = 6;
/** Names of a field or a line that holds the verdict rather than one of its grounds. */
const CONCLUDES =
  /overall|final|total|verdict|score|rating|grade|label|result|decision|judge?ment|urteil|note/i;

/**
 * The forms that replies on one answer could have: a number or one of a few words, in a field of their JSON, behind a
 * label on a line of its own, or alone. Of several that could be the verdict the one that says so; none otherwise.
 */
function formsOfOne(replies: readonly string[], orders: string): VerdictFile[] {
  // A note is a remark; in some languages it is a mark.
  const isMark = (name: string, written: readonly string[]) =>
    /^note$/i.test(name) && written.every((text) => NUMBER.test(text));
  const fields = valuesByField(replies).filter(([name, written]) => !isBeside(name) || isMark(name, written));
  const places = fields.length > 0 ? fields : [...valuesByFrame(replies), ...announcedLast(replies, orders)];
  const changing = places.filter(([, written]) => new Set(written.map((text) => text.trim())).size > 1);
  const concluding = changing.filter(([name]) => CONCLUDES.test(name));
  // Reasons are sentences, in any language and under any name.
  const inAWord = changing.filter(([, written]) => written.every(isShortWord));
  // One of the words that the orders offer: `resolved | partly_resolved | unresolved`.
  const announced = inAWord.filter(([, written]) =>
    written.every((text) => !NUMBER.test(text) && occurrences(orders, text.trim()).length > 0),
  );
  const [one, ...more] = [concluding, inAWord, announced].find(({ length }) => length === 1) ?? changing;
  if (!one || more.length > 0) return [];
  const [name, written] = one;
  const words = [...new Set(written.map((text) => text.trim()))];
  // Who wins is one of several, whatever number or letter stands for it.
  if (
    namesWinner(name) &&
    !announced.some(([other]) => other === name && words.every((word) => word.length > 1))
  )
    return [];
  const place = fields.length > 0 ? { field: name } : name === '{}' ? {} : { template: name };
  if (words.every((word) => NUMBER.test(word))) return [{ kind: 'score', ...place }];
  const isWord = (word: string) =>
    word.length <= LONGEST_FRAME && /^[\p{L}][\p{L}\p{M}\p{N} _+-]*$/u.test(word);
  // What is said alone is a sentence where it has more than two words.
  const isSaid = name === '{}' && words.some((word) => word.split(/\s+/).length > 2);
  if (isSaid || words.length > MOST_CATEGORIES || !words.every(isWord)) return [];
  return [
    { kind: 'pass', ...(fields.length > 0 && { field: name }) },
    { kind: 'category', labels: words, ...place },
  ];
}

/**
 * A verdict for each of several things: a list of entries that differ in one short value (`{"checks": [{"ok": true}]}`), a
 * list of such values, or several fields of numbers or truths (`{"coherence": 4, "fluency": 5}`).
 */
function inLists(replies: readonly string[]): VerdictFile[] {
  const objects = replies.flatMap((reply) => jsonIn(reply).objects.slice(0, 1));
  const first = objects[0] ?? {};
  const lists = Object.keys(first).flatMap((field) => {
    const entries = objects.map((object) => object[field]).filter((list) => Array.isArray(list));
    return entries.length < objects.length || isBeside(field) ? [] : [{ field, entries: entries.flat() }];
  });
  const [form, ...more] = lists.flatMap(({ field, entries }): VerdictFile[] => {
    if (entries.length === 0) return [];
    if (entries.every(isShort)) return [{ kind: 'list', field }];
    const names = new Set(entries.flatMap((entry) => Object.keys(asObject(entry) ?? {})));
    const [item, ...others] = [...names].filter((name) => {
      const said = objects.map((object) => [object[field]].flat().map((entry) => asObject(entry)?.[name]));
      // What every reply has in the same order names the entries.
      const varies = new Set(said.map((values) => JSON.stringify(values))).size > 1;
      const all = said.flat();
      return !isBeside(name) && varies && all.every(isShort) && new Set(all).size < all.length;
    });
    return item !== undefined && others.length === 0 ? [{ kind: 'list', field, item }] : [];
  });
  if (lists.some(({ entries }) => entries.length > 0)) return form && more.length === 0 ? [form] : [];
  const fields = valuesByField(replies).filter(([name]) => !isBeside(name));
  const each = fields.filter(([, written]) => written.every((word) => NUMBER.test(word) || TRUTH.test(word)));
  const changes = each.some(([, written]) => new Set(written).size > 1);
  return each.length > 1 && each.length === fields.length && changes
    ? [{ kind: 'list', fields: each.map(([name]) => name) }]
    : [];
}

const TRUTH = /^(?:true|false)$/;

/** Whether a value is a verdict rather than a text: a number, a truth, or a word. */
const isShort = (value: unknown) =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && isShortWord(value));

const isShortWord = (text: string) => NUMBER.test(text) || /^[\p{L}\p{M}\p{N}_-]{1,20}$/u.test(text.trim());

/** The last line of replies that say more, where it is one of the words that the orders offer in capitals. */
function announcedLast(replies: readonly string[], orders: string): [string, string[]][] {
  const lines = replies.map((reply) => reply.trimEnd().split('\n'));
  const words = lines.map((own) => own.at(-1)?.trim() ?? '');
  const isAnnounced = words.every(
    (word) => /^\p{Lu}{2}[\p{Lu}\p{N}_-]{0,20}$/u.test(word) && occurrences(orders, word).length > 0,
  );
  return isAnnounced && lines.some((own) => own.length > 1) ? [['{}', words]] : [];
}

/** What a verdict is put in that stands in a text: `[[4]]`, `<points>4</points>`. */
function markedIn(reply: string): [string, string][] {
  const end = reply.slice(-LONGEST_LINE);
  const bracketed = [...end.matchAll(/\[\[([^[\]\n]{1,30})\]\]/g)].map(([, word = '']): [string, string] => [
    '[[{}]]',
    word,
  ]);
  const tagged = [...end.matchAll(/<([\p{L}_][\p{L}\p{N}_-]{0,30})>([^<>\n]{1,30})<\/([^<>\n]{1,31})>/gu)]
    .filter(([, open, , close]) => open === close)
    .map(([, name = '', word = '']): [string, string] => [`<${name}>{}</${name}>`, word.trim()]);
  return [...bracketed.slice(-1), ...tagged];
}

/** A heading, and the word that stands alone below it: `[[ ## completeness ## ]]` above `0.4`. */
function belowHeadings(reply: string): [string, string][] {
  const found = reply
    .slice(-LONGEST_LINE)
    .matchAll(/^([[#*=-][^\n]{1,60})\n([\p{L}\p{N}][\p{L}\p{N}.+-]{0,29})[ \t]{0,9}$/gmu);
  return [...found].map(([, heading = '', word = '']) => [`${heading}\n{}`, word]);
}

/** What stands on a line of its own, alone or behind a label, or between such marks, once in each reply. */
function valuesByFrame(replies: readonly string[]): Map<string, string[]> {
  const frames = new Map<string, string[]>();
  for (const reply of replies) {
    const here = new Map<string, string[]>();
    const lines = reply.split('\n').filter((line) => line.trim() !== '' && line.length <= LONGEST_LINE);
    for (const line of lines.length === 1 ? lines : lines.slice(-LINES)) {
      const {
        1: lead = '',
        2: word = '',
        3: end = '',
      } = /^\s{0,9}([^:：=]{1,40}[:：=]\s{0,3}|[【［][^】］\n]{1,30}[】］]\s{0,3}|)[*"'([]{0,3}([\p{L}\p{N}][\p{L}\p{M}\p{N} _.+/／-]{0,39}?)([*"')\]]{0,3}\.?)\s{0,9}$/u.exec(
        line,
      ) ?? [];
      if (word === '' || (lead === '' && (lines.length > 1 || end.length > 1))) continue;
      // `92점`, `7/10`: the unit is no part of the number.
      const [, number, unit] =
        /^(-?\d{1,4}(?:\.\d{1,4})?)(\s?(?:[/／]\s?\d{1,4}|\p{L}{1,9}))$/u.exec(word) ?? [];
      const frame = `${lead}{}${unit ?? ''}`;
      here.set(frame, [...(here.get(frame) ?? []), number ?? word]);
    }
    for (const [mark, word] of [...markedIn(reply), ...belowHeadings(reply)])
      here.set(mark, [...(here.get(mark) ?? []), word]);
    for (const [frame, [word = '', ...more]] of here)
      if (more.length === 0) frames.set(frame, [...(frames.get(frame) ?? []), word]);
  }
  return new Map([...frames].filter(([, words]) => words.length >= LEAST_READ * replies.length));
}

/** The same words around the name of an option, in nearly all replies; the surest frames first. */
function inFrames(replies: readonly string[], labels: readonly string[]): Choice[] {
  const frames = new Map<string, Place[]>();
  for (const reply of replies) {
    const here = new Map<string, Place | null>();
    for (const place of placesIn(reply, labels))
      for (const frame of framesOf(place)) {
        const other = here.get(frame);
        // What frames two options in one reply is no verdict.
        here.set(frame, other === undefined || other?.option === place.option ? place : null);
      }
    for (const [frame, place] of here) if (place) frames.set(frame, [...(frames.get(frame) ?? []), place]);
  }
  return [...frames]
    .toSorted(([a, one], [b, other]) => other.length - one.length || b.length - a.length)
    .flatMap(([template, places]) => {
      const spelled = spellings(places, labels);
      const isWhole = places.length >= LEAST_READ * replies.length;
      const tie = isWhole ? null : tieIn(replies, template, places, labels);
      if (!spelled || (!isWhole && tie === null)) return [];
      return [
        {
          kind: 'choice' as const,
          labels: spelled,
          ...(template !== '{}' && { template }),
          ...(tie !== null && { tie }),
        },
      ];
    });
}

/** What stands in a frame in all replies in which no option does, where each option was named: `Urteil: beide gleich`. */
function tieIn(
  replies: readonly string[],
  frame: string,
  places: readonly Place[],
  labels: readonly string[],
): string | null {
  const [lead = '', tail = ''] = frame.split('{}');
  if (new Set(places.map(({ option }) => option)).size < labels.length) return null;
  const others = replies.flatMap((reply) => {
    const lines = reply.split('\n').map((line) => line.trim());
    const framed = (lead + tail === '' && lines.length > 1 ? [] : lines).filter(
      (line) => line.startsWith(lead) && line.endsWith(tail) && line.length > lead.length + tail.length,
    );
    const words = framed.map((line) => line.slice(lead.length, line.length - tail.length));
    return words.filter((word) => word.length <= LONGEST_FRAME && optionNamed(word, labels) < 0).slice(-1);
  });
  const [tie, ...more] = new Set(others);
  const isWhole = places.length + others.length >= LEAST_READ * replies.length;
  return tie !== undefined && more.length === 0 && isWhole ? lead + tie + tail : null;
}

function placesIn(reply: string, labels: readonly string[]): Place[] {
  const lines = reply.split('\n').filter((line) => line.trim() !== '' && line.length <= LONGEST_LINE);
  return lines.slice(-LINES).flatMap((raw) => {
    const line = raw.trim();
    return labels.flatMap((label, option) =>
      variantsOf(label).flatMap((written) =>
        occurrences(line, written).map((at) => ({
          option,
          written,
          before: line.slice(0, at),
          after: line.slice(at + written.length),
        })),
      ),
    );
  });
}

/** `Gewinner: {}`, `<verdict>{}</verdict>`, `【{}】`, or `{}` for a name with nothing around it. */
function framesOf({ before, after }: Place): string[] {
  if (before === '' && after === '') return ['{}'];
  if (before === '' && /^[.:)]\s/.test(after)) return [`{}${after.charAt(0)}`];
  const frames: string[] = [];
  if (
    before.length <= LONGEST_FRAME &&
    /[:：=＝→>]\s{0,3}(?:\p{L}{1,20} ){0,2}$|[[(（「『【〈《“«"'`*]\s{0,3}$/u.test(before)
  ) {
    const tail = /^\s{0,3}[^\p{L}\p{N}\s]{0,4}/u.exec(after)?.[0] ?? '';
    frames.push(`${before}{}`, `${before}{}${tail}`);
    if (after.length <= LONGEST_FRAME) frames.push(`${before}{}${after}`);
  }
  const open = /<([\p{L}_][\p{L}\p{N}_-]{0,30})>$/u.exec(before)?.[1];
  if (open !== undefined && after.startsWith(`</${open}>`)) frames.push(`<${open}>{}</${open}>`);
  const mark = before.slice(-1);
  const closing = CLOSES[mark];
  if (closing !== undefined && mark !== "'" && mark !== '`' && after.startsWith(closing)) {
    const double = before.endsWith(mark + mark) && after.startsWith(closing + closing);
    frames.push(double ? `${mark}${mark}{}${closing}${closing}` : `${mark}{}${closing}`);
  }
  return frames.filter((frame) => frame !== '{}' && frame.length <= 2 * LONGEST_FRAME);
}

/** One spelling for each option; one that no reply named is spelled as the others are. */
function spellings(
  places: readonly Pick<Place, 'option' | 'written'>[],
  labels: readonly string[],
): string[] | null {
  const style = places[0] && variantsOf(labels[places[0].option] ?? '').indexOf(places[0].written);
  const spelled = labels.map((label, option) => {
    const seen = places.find((place) => place.option === option)?.written;
    return seen ?? variantsOf(label)[style ?? 0] ?? '';
  });
  const different = new Set(spelled).size === labels.length && spelled.every((one) => one !== '');
  return different ? spelled : null;
}

/** The option that a value names: the whole of it, or as the only one in a few words; -1 for none. */
function optionNamed(text: string, labels: readonly string[]): number {
  const word = text.trim();
  const whole = labels.flatMap((label, option) => (variantsOf(label).includes(word) ? [option] : []));
  if (whole.length > 0 || word.length > LONGEST_FRAME) return whole.length === 1 ? (whole[0] ?? -1) : -1;
  const within = labels.flatMap((label, option) =>
    variantsOf(label).some(
      (variant) => /[\p{Lu}\p{N}]/u.test(variant) && occurrences(word, variant).length > 0,
    )
      ? [option]
      : [],
  );
  return within.length === 1 ? (within[0] ?? -1) : -1;
}

/** The same number of variants for every label, the likeliest first. */
function variantsOf(label: string): string[] {
  return [labelKey(label), label].flatMap((text) => [
    text,
    text.toUpperCase(),
    text.toLowerCase(),
    text.charAt(0).toUpperCase() + text.slice(1).toLowerCase(),
  ]);
}

/** Where a word stands with no letter or digit of its own script beside it. */
function occurrences(line: string, word: string): number[] {
  const found: number[] = [];
  if (word === '') return found;
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + word.length)) {
    const [before, after] = [line.charAt(at - 1), line.charAt(at + word.length)];
    const isNegative = before === '-' && /^\p{N}/u.test(word) && !/[\p{L}\p{N}]/u.test(line.charAt(at - 2));
    if (!isNegative && !/[\p{L}\p{N}_]/u.test(after) && !/[\p{L}\p{N}_]/u.test(before)) found.push(at);
  }
  return found;
}
