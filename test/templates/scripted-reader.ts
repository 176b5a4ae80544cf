/**
 * A reader model that tells the truth: it looks at the template that it is shown, finds its slots in a request of the
 * corpus, and names them as the corpus does.
 */
import { matchLiterals } from '../../src/case/templates/match.ts';
import type { VerdictFile } from '../../src/case/verdicts/index.ts';
import { type JudgeTemplate, type TemplateRequest, textParts } from './schema.ts';

/** @returns what such a model replies to the user's message of the question */
export function scriptedReader({ kind, requests }: JudgeTemplate): (user: string) => string {
  return (user) => {
    const parts = shownParts(user);
    const shown = requestShown(user);
    const named = requests.flatMap((one) => {
      const slots = namedIn(parts, one);
      return slots === null ? [] : [{ one, slots }];
    });
    const isUncertain = user.endsWith('Give "cuts", not "slots".');
    const right = isUncertain ? undefined : named.find(({ one }) => holdsAll(parts, one));
    const whole = requests.find(({ body }) => textParts(body).every(({ text }, n) => text === shown[n]));
    const cuts = right ? undefined : whole && cutsOf(whole, requests);
    const { one: request = whole, slots = [] } = right ?? (cuts && whole ? { one: whole } : named[0]) ?? {};
    const verdict = request ? verdictOf(request, requests) : null;
    const said = cuts ? { slots: [], cuts } : { slots };
    return JSON.stringify({ judgment: kind !== 'none', ...said, verdict });
  };
}

/** The messages of the request that is shown whole. */
function requestShown(user: string): string[] {
  const [, shown = ''] = user.split('Untrusted data, one request, its messages as JSON strings:\n');
  const lines = (shown.split('\n\n')[0] ?? '').split('\n');
  return lines.flatMap((line) => (/^\d+: "/.test(line) ? [JSON.parse(line.slice(line.indexOf('"')))] : []));
}

interface Known {
  readonly part: number;
  readonly start: number;
  readonly end: number;
  readonly role: string;
  readonly label: string;
}

function textsOf({ slots }: TemplateRequest): Known[] {
  const several = slots.options.length > 1;
  const named = ([role, all]: readonly [string, TemplateRequest['slots']['context']]) =>
    all.map(({ part, start, end }) => ({ part, start, end, role, label: '' }));
  return [
    ...slots.options.flatMap(({ label, slots: own }) =>
      named(['option', own]).map((one) => ({ ...one, label: several ? label : '' })),
    ),
    ...(['instruction', 'reference', 'rubric', 'context'] as const).flatMap((role) =>
      named([role, slots[role]]),
    ),
    ...named(['*', slots.ignored]),
  ].toSorted((a, b) => a.part - b.part || a.start - b.start);
}

/**
 * The texts of a request; those of a list that is longer or shorter in other requests as one, unless each of them is judged.
 * Nothing where one text is judged that has more pieces in one request than in another.
 */
function cutsOf(request: TemplateRequest, requests: readonly TemplateRequest[]) {
  const count = (one: TemplateRequest, role: string) =>
    textsOf(one).filter((text) => text.role === role).length;
  const isLonger = (role: string) => requests.some((one) => count(one, role) !== count(request, role));
  const areApart = request.slots.options.length > 1;
  if (isLonger('option') && request.verdict.kind !== 'list' && !areApart) return undefined;
  const isList = (role: string) => isLonger(role) && !(role === 'option' && areApart);
  const joined: Known[] = [];
  for (const text of textsOf(request)) {
    const last = joined.at(-1);
    if (last && last.part === text.part && last.role === text.role && isList(text.role))
      joined.splice(-1, 1, { ...last, end: text.end });
    else joined.push(text);
  }
  const texts = textParts(request.body);
  const nameOf = namer();
  return joined.flatMap(({ part, start, end, role, label }) => {
    const text = texts[part]?.text ?? '';
    const before = text.slice(Math.max(0, start - LONGEST_LINE), start);
    const own = text.slice(start, end);
    const cut = { message: part + 1, begins: own.slice(0, SHOWN), ends: own.slice(-SHOWN), role };
    return own === '' ? [] : [{ ...cut, label: nameOf(before, label) }];
  });
}

/** Characters of a text's beginning and of its end. */
const SHOWN = 60;
const LONGEST_LINE = 200;

/** Whether each text of a request stands in a slot of its own. */
function holdsAll(parts: readonly (readonly string[])[], request: TemplateRequest): boolean {
  const texts = textParts(request.body);
  const ranges = parts.map((literals, part) => matchLiterals(texts[part]?.text ?? '', literals) ?? []);
  return textsOf(request).every(({ part, start, end, role }) =>
    ranges[part]?.some(
      (at) =>
        at && (role === '*' || (at.start === start && at.end === end)) && at.start <= start && end <= at.end,
    ),
  );
}

/** The literals of each message of the template as it is shown. */
function shownParts(user: string): string[][] {
  const [shown = ''] = user.split('\n\n=== End of the template ===');
  return shown
    .split(/(?:^|\n\n)=== Message of the role "[^"]*" ===\n/)
    .slice(1)
    .map((text) => text.split(/⟦\d+⟧/));
}

interface Named {
  readonly slot: number;
  readonly role: string;
  readonly label: string;
}

function namedIn(parts: readonly (readonly string[])[], { body, slots }: TemplateRequest): Named[] | null {
  const texts = textParts(body);
  const known = [
    ...slots.options.flatMap(({ label, slots: own }) =>
      own.map((slot) => ({ ...slot, role: 'option', label: slots.options.length > 1 ? label : '' })),
    ),
    ...(['instruction', 'reference', 'rubric', 'context'] as const).flatMap((role) =>
      slots[role].map((slot) => ({ ...slot, role: role as string, label: '' })),
    ),
  ];
  const named: Named[] = [];
  const nameOf = namer();
  for (const [part, literals] of parts.entries()) {
    const ranges = matchLiterals(texts[part]?.text ?? '', literals);
    if (ranges === null || ranges.includes(null)) return null;
    for (const range of ranges) {
      const here = known.filter(
        (one) => one.part === part && range && one.start >= range.start && one.end <= range.end,
      );
      const [first] = here;
      // What holds all that is judged and nothing else, is judged.
      const isList = here.length > 1 && here.every(({ role }) => role === 'option');
      const whole = first && range && ((first.start === range.start && first.end === range.end) || isList);
      const label = isList ? '' : nameOf(literals[ranges.indexOf(range)] ?? '', first?.label ?? '');
      named.push({
        slot: named.length + 1,
        role: whole ? first.role : first ? 'context' : '*',
        label: whole ? label : '',
      });
    }
  }
  return named;
}

/** Names each option as the words in front of its first slot do. */
function namer() {
  const names = new Map([['', '']]);
  return (before: string, label: string): string => {
    const name = names.get(label) ?? nameIn(before, label);
    names.set(label, name);
    return name;
  };
}

/** As the words in front of the slot have it: `Linkes` where the corpus says `links`. */
function nameIn(before: string, label: string): string {
  if (before.includes(label)) return label;
  const words = before.match(/[\p{L}\p{N}]+/gu) ?? [];
  const last =
    label
      .match(/\p{N}+|\p{L}+/gu)
      ?.at(-1)
      ?.toLowerCase() ?? '';
  return (
    words.findLast(
      (word) => word.toLowerCase() === last || word.toLowerCase().startsWith(last.slice(0, 4)),
    ) ?? label
  );
}

function verdictOf(
  { verdict, slots }: TemplateRequest,
  requests: readonly TemplateRequest[],
): VerdictFile | null {
  const { kind, labels = {}, scale } = verdict;
  const path = verdict.field?.replaceAll('[]', '').split('.') ?? [];
  const field = path.at(-1);
  const inField = field === undefined ? {} : { field };
  const meaning = (...meanings: readonly unknown[]) =>
    Object.entries(labels).flatMap(([label, means]) => (meanings.includes(means) ? [label] : []));
  const replies = requests.flatMap((request) => request.replies.map(({ text }) => text));
  const framed = (all: readonly string[]) => (field === undefined ? frameOf(replies, all) : {});
  switch (kind) {
    case 'choice': {
      // Of several degrees the nearest to a tie stands for the option; the others follow, each for both.
      const [first, second] = [meaning(0).toReversed(), meaning(1)];
      const degrees = first.length === second.length ? first.flatMap((one, n) => [one, second[n] ?? '']) : [];
      const strong = degrees.length > 2 && slots.options.length === 2 ? { strong: degrees.slice(2) } : {};
      const named =
        degrees.length > 2 ? degrees.slice(0, 2) : slots.options.map((_, n) => meaning(n)[0] ?? '');
      const frame = framed(named);
      const [tie] = meaning('tie');
      const written = tie === undefined ? {} : { tie: frame.template?.replace('{}', () => tie) ?? tie };
      return named.includes('') ? null : { kind, labels: named, ...strong, ...frame, ...written, ...inField };
    }
    case 'score':
      return { kind, ...scale, ...inField, ...(field === undefined ? numberFrame(replies) : {}) };
    case 'pass': {
      const [good] = meaning('pass', 'good');
      const [bad] = meaning('fail', 'bad');
      if (good === undefined || bad === undefined)
        return { kind, ...inField, ...(verdict.polarity === 'lower' && { good: false }) };
      if (/^(?:true|false|0|1)$/.test(good))
        return { kind, ...inField, ...(good === 'false' || good === '0' ? { good: false } : {}) };
      return { kind, labels: [good, bad], ...framed([good, bad]), ...inField };
    }
    case 'category': {
      const all = Object.keys(labels);
      return all.length > 1 ? { kind, labels: all, ...framed(all), ...inField } : null;
    }
    case 'list':
      return path.length > 1 ? { kind, field: path[0] ?? '', item: field ?? '' } : null;
    case 'ranking':
      return { kind, labels: slots.options.map((_, n) => meaning(n)[0] ?? ''), ...inField };
    default:
      return null;
  }
}

/** What stands around one of the labels on its line, in all replies. */
function frameOf(replies: readonly string[], labels: readonly string[]): { template?: string } {
  const frames = replies.map((reply) => {
    const line = reply.trim().split('\n').at(-1)?.trim() ?? '';
    const label =
      labels.toSorted((a, b) => b.length - a.length).find((one) => line.includes(one.trim())) ?? '';
    const at = line.lastIndexOf(label.trim());
    return at < 0 || label === '' ? '' : `${line.slice(0, at)}{}${line.slice(at + label.trim().length)}`;
  });
  const [first = '', ...others] = frames.filter((frame) => frame !== '');
  if (first === '{}' || first === '') return {};
  if (others.every((frame) => frame === first)) return { template: first };
  const bracketed = replies.every((reply) => labels.some((label) => reply.includes(`[[${label}]]`)));
  return bracketed ? { template: '[[{}]]' } : {};
}

function numberFrame(replies: readonly string[]): { template?: string } {
  const frames = replies.map((reply) => /([\p{L}]+ ?[:：=] ?(?:\[\[)?)\d+(\]\])?/u.exec(reply));
  const [first] = frames;
  const template = `${first?.[1] ?? ''}{}${first?.[2] ?? ''}`;
  return first && frames.every((one) => one?.[1] === first[1]) ? { template } : {};
}
