/**
 * Templates of the corpus written anew, as other practitioners would write them: other labels, delimiters, languages and
 * orders around the same contents, or the same prompt with a nonce, an example, an indentation more. The same seed
 * gives the same variants. Nothing of Remand has a part in it: where each text stands is known from putting it there.
 */
import { createSeededDraw } from '../src/stats/seeded-draw.ts';
import { countPlacements } from '../test/templates/assemble.ts';
import {
  type Encoding,
  encode,
  type JudgeTemplate,
  type Reply,
  type Slot,
  type TemplateRequest,
  textParts,
  type VerdictForm,
} from '../test/templates/schema.ts';

type Role = 'instruction' | 'reference' | 'rubric' | 'context' | 'ignored' | number;

/** A text to put in: what it is (the number of an option), and how it is written. */
interface Filling {
  readonly role: Role;
  readonly text: string;
  readonly encoding?: Encoding;
  readonly indent?: string;
}
type Piece = string | Filling;
interface Message {
  readonly role: string;
  readonly pieces: readonly Piece[];
}

/** What is judged in one request. */
interface Material {
  readonly instruction: string;
  readonly options: readonly string[];
  readonly reference: string | null;
  readonly rubric: string | null;
  readonly context: string | null;
}

class Dice {
  readonly #draw: (limit: number) => number;
  constructor(seed: number) {
    this.#draw = createSeededDraw(seed);
  }
  below(limit: number): number {
    return this.#draw(limit);
  }
  /** True in one of so many throws. */
  oneIn(count: number): boolean {
    return this.#draw(count) === 0;
  }
  of<T>(list: readonly [T, ...T[]]): T {
    return list[this.#draw(list.length)] ?? list[0];
  }
}

/** @returns one variant of each template that can be varied, named after it */
export function varyTemplates(templates: readonly JudgeTemplate[], seed: number): JudgeTemplate[] {
  return templates.flatMap((template, n) => {
    const dice = new Dice(seed * 1_000 + n);
    const rewritten = template.kind === 'none' ? null : rewrite(template, dice);
    const variants = [template.kind === 'none' ? intrude(template, dice) : rewritten, rewrap(template, dice)];
    return variants.flatMap((variant) => variant ?? []);
  });
}

// The same contents in another prompt.

interface Language {
  readonly question: readonly [string, ...string[]];
  readonly answer: readonly [string, ...string[]];
  readonly reference: string;
  readonly rubric: string;
  readonly context: string;
  /** Orders for several options, with their names as `{}`. */
  readonly compare: string;
  readonly judge: string;
  readonly winner: string;
  readonly score: string;
  readonly verdict: string;
  readonly yes: string;
  readonly no: string;
  readonly or: string;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  en: {
    question: ['Question', 'User prompt', 'Task', 'Customer asked', 'Input', 'Query', 'Brief'],
    answer: ['Answer', 'Response', 'Output', 'Draft', 'Candidate', 'Submission', 'Reply', 'Version', 'Text'],
    reference: 'Reference answer',
    rubric: 'Criteria',
    context: 'Retrieved passages',
    compare: 'Compare the texts below and decide which of them serves the reader best.',
    judge: 'You are a strict reviewer. Judge the text below.',
    winner: 'Winner',
    score: 'Score',
    verdict: 'Verdict',
    yes: 'PASS',
    no: 'FAIL',
    or: 'or',
  },
  de: {
    question: ['Frage', 'Aufgabe', 'Anfrage', 'Kundenfrage'],
    answer: ['Antwort', 'Entwurf', 'Fassung', 'Vorschlag', 'Kandidat'],
    reference: 'Musterlösung',
    rubric: 'Kriterien',
    context: 'Hintergrund',
    compare: 'Vergleiche die Texte und entscheide, welcher der bessere ist.',
    judge: 'Du bist ein strenger Prüfer. Bewerte den folgenden Text.',
    winner: 'Gewinner',
    score: 'Note',
    verdict: 'Urteil',
    yes: 'ja',
    no: 'nein',
    or: 'oder',
  },
  fr: {
    question: ['Question', 'Consigne', 'Demande'],
    answer: ['Réponse', 'Texte', 'Proposition', 'Copie'],
    reference: 'Réponse de référence',
    rubric: 'Critères',
    context: 'Contexte',
    compare: 'Compare les textes ci-dessous et dis lequel est le meilleur.',
    judge: 'Tu es un correcteur exigeant. Évalue le texte suivant.',
    winner: 'Meilleur',
    score: 'Note',
    verdict: 'Avis',
    yes: 'oui',
    no: 'non',
    or: 'ou',
  },
  es: {
    question: ['Pregunta', 'Consulta', 'Tarea'],
    answer: ['Respuesta', 'Propuesta', 'Texto', 'Borrador'],
    reference: 'Respuesta de referencia',
    rubric: 'Criterios',
    context: 'Contexto',
    compare: 'Compara los textos y decide cuál es mejor.',
    judge: 'Eres un revisor exigente. Evalúa el texto siguiente.',
    winner: 'Mejor',
    score: 'Puntuación',
    verdict: 'Veredicto',
    yes: 'sí',
    no: 'no',
    or: 'o',
  },
  it: {
    question: ['Domanda', 'Richiesta'],
    answer: ['Risposta', 'Bozza', 'Testo'],
    reference: 'Risposta di riferimento',
    rubric: 'Criteri',
    context: 'Contesto',
    compare: 'Confronta i testi e decidi quale è migliore.',
    judge: 'Sei un revisore severo. Valuta il testo seguente.',
    winner: 'Migliore',
    score: 'Voto',
    verdict: 'Giudizio',
    yes: 'sì',
    no: 'no',
    or: 'o',
  },
  nl: {
    question: ['Vraag', 'Opdracht'],
    answer: ['Antwoord', 'Tekst', 'Voorstel'],
    reference: 'Modelantwoord',
    rubric: 'Criteria',
    context: 'Achtergrond',
    compare: 'Vergelijk de teksten en zeg welke beter is.',
    judge: 'Je bent een strenge beoordelaar. Beoordeel de tekst hieronder.',
    winner: 'Winnaar',
    score: 'Cijfer',
    verdict: 'Oordeel',
    yes: 'ja',
    no: 'nee',
    or: 'of',
  },
  ru: {
    question: ['Вопрос', 'Задание'],
    answer: ['Ответ', 'Вариант', 'Текст'],
    reference: 'Эталонный ответ',
    rubric: 'Критерии',
    context: 'Контекст',
    compare: 'Сравни тексты и реши, какой из них лучше.',
    judge: 'Ты строгий рецензент. Оцени текст ниже.',
    winner: 'Лучший',
    score: 'Оценка',
    verdict: 'Вердикт',
    yes: 'да',
    no: 'нет',
    or: 'или',
  },
  zh: {
    question: ['问题', '用户提问', '任务'],
    answer: ['回答', '答案', '译文', '方案'],
    reference: '参考答案',
    rubric: '评分标准',
    context: '背景资料',
    compare: '请比较下面的文本，判断哪一个更好。',
    judge: '你是一位严格的评审。请评价下面的文本。',
    winner: '胜者',
    score: '得分',
    verdict: '结论',
    yes: '是',
    no: '否',
    or: '或',
  },
  ja: {
    question: ['質問', '課題'],
    answer: ['回答', '文案', '訳文'],
    reference: '模範解答',
    rubric: '基準',
    context: '資料',
    compare: '次の文章を比べ、どちらが優れているか判断してください。',
    judge: 'あなたは厳しい審査員です。次の文章を評価してください。',
    winner: '勝者',
    score: '点数',
    verdict: '判定',
    yes: 'はい',
    no: 'いいえ',
    or: 'または',
  },
  ar: {
    question: ['السؤال', 'المهمة'],
    answer: ['الإجابة', 'النص'],
    reference: 'الإجابة النموذجية',
    rubric: 'المعايير',
    context: 'السياق',
    compare: 'قارن بين النصوص التالية وقرر أيها أفضل.',
    judge: 'أنت مراجع صارم. قيّم النص التالي.',
    winner: 'الفائز',
    score: 'الدرجة',
    verdict: 'الحكم',
    yes: 'نعم',
    no: 'لا',
    or: 'أو',
  },
};

const NAMES: readonly [readonly string[], ...(readonly string[])[]] = [
  ['A', 'B', 'C', 'D', 'E', 'F'],
  ['1', '2', '3', '4', '5', '6'],
  ['X', 'Y', 'Z', 'U', 'V', 'W'],
  ['I', 'II', 'III', 'IV', 'V', 'VI'],
  ['a', 'b', 'c', 'd', 'e', 'f'],
  ['One', 'Two', 'Three', 'Four', 'Five', 'Six'],
];

/** How a text is set off: what stands in front of it and behind, and what indents its further lines. */
interface Frame {
  readonly open: (label: string, key: string) => string;
  readonly close: (label: string, key: string) => string;
  readonly encoding?: Encoding;
  readonly indent?: string;
}

const snake = (label: string) => label.toLowerCase().replaceAll(' ', '_');
const none = () => '';
const FRAMES: readonly [Frame, ...Frame[]] = [
  { open: (label) => `${label}:\n`, close: none },
  { open: (label) => `${label}: `, close: none },
  { open: (label) => `${label}:`, close: none },
  { open: (label) => `${label} - `, close: none },
  { open: (label) => `### ${label}\n`, close: none },
  { open: (label) => `## ${label}:\n\n`, close: none },
  { open: (label) => `**${label}**\n`, close: none },
  { open: (label) => `**${label}:** `, close: none },
  { open: (label) => `[${label}]\n`, close: none },
  { open: (label) => `[${label}]: `, close: none },
  { open: (label) => `[Start of ${label}]\n`, close: (label) => `\n[End of ${label}]` },
  { open: (label) => `[BEGIN ${label.toUpperCase()}]\n`, close: none },
  { open: (label) => `--- ${label} ---\n`, close: none },
  { open: (label) => `--- ${label} ---\n`, close: () => '\n---' },
  { open: (label) => `==== ${label} ====\n`, close: (label) => `\n==== end of ${label} ====` },
  { open: (label) => `<${snake(label)}>`, close: (label) => `</${snake(label)}>` },
  { open: (label) => `<${snake(label)}>\n`, close: (label) => `\n</${snake(label)}>` },
  { open: (_, key) => `<text id="${key}">\n`, close: () => '\n</text>' },
  { open: (label) => `<item name="${label}" lang="any">`, close: () => '</item>' },
  { open: (label) => `${label}:\n"""\n`, close: () => '\n"""' },
  { open: (label) => `${label}: """`, close: () => '"""' },
  { open: (label) => `${label}: "`, close: () => '"' },
  { open: (label) => `${label}: „`, close: () => '“' },
  { open: (label) => `${label}:\n\`\`\`\n`, close: () => '\n```' },
  {
    open: (label) => `${label}:\n    \`\`\`text\n    `,
    close: () => '\n    ```',
    encoding: 'indented',
    indent: '    ',
  },
  { open: (label) => `${label}:\n    `, close: none, encoding: 'indented', indent: '    ' },
  { open: (label) => `${snake(label)}: |\n  `, close: none, encoding: 'indented', indent: '  ' },
  { open: (label) => `${label}\n> `, close: none, encoding: 'indented', indent: '> ' },
  { open: (label) => `"${snake(label)}": "`, close: () => '",', encoding: 'json' },
  { open: (label) => `  "${snake(label)}": "`, close: () => '",', encoding: 'json-ascii' },
  { open: (label) => `${label} = `, close: none },
  { open: (label) => `${label} »\n`, close: none },
  { open: (label) => `<<<${label}\n`, close: () => '\n>>>' },
  { open: (label) => `(${label})\n`, close: none },
  { open: (label) => `* ${label}: `, close: none },
  { open: (label) => `【${label}】\n`, close: none },
  { open: (label) => `${label.toUpperCase()}\n`, close: none },
  { open: (label) => `${label.toUpperCase()}\n${'-'.repeat(12)}\n`, close: none },
];

function materialsOf({ requests }: JudgeTemplate): Material[] {
  return requests.map(({ slots }) => ({
    instruction: slots.instruction.at(-1)?.text ?? '',
    options: slots.options.map((option) => option.slots.map(({ text }) => text).join('\n\n')),
    reference: slots.reference[0]?.text ?? null,
    rubric: slots.rubric[0]?.text ?? null,
    context: slots.context[0]?.text ?? null,
  }));
}

const OPENINGS: readonly [string, ...string[]] = [
  'Sure! Here is ',
  'Sure! Here you go:\n\n',
  'Answer: ',
  '- ',
  '1. ',
  '# Overview\n\n',
  '```\nprint(1)\n```\n',
  '"Well", she said. ',
];

/** Texts as models write them: the same opening in many, now and then an empty one, one word, or a list. */
function seasoned(materials: readonly Material[], dice: Dice): Material[] {
  const opening = dice.oneIn(3) ? dice.of(OPENINGS) : null;
  const often = dice.oneIn(4) ? 1 : 2;
  return materials.map((one) => ({
    ...one,
    options: one.options.map((text) => {
      if (opening !== null && dice.oneIn(often)) return opening + text;
      if (dice.oneIn(25)) return '';
      if (dice.oneIn(20)) return dice.of(['Yes', 'No.', '42', 'Blue']);
      if (dice.oneIn(20)) return `- ${text.split(' ').slice(0, 4).join(' ')}\n- more\n- and more`;
      return text;
    }),
  }));
}

function rewrite(template: JudgeTemplate, dice: Dice): JudgeTemplate | null {
  const count = template.requests[0]?.slots.options.length ?? 0;
  if (count === 0 || template.requests.some(({ slots }) => slots.options.length !== count)) return null;
  const known = Object.keys(LANGUAGES);
  const tongue =
    known.includes(template.language) && dice.oneIn(2)
      ? template.language
      : (known[dice.below(known.length)] ?? 'en');
  const words = LANGUAGES[dice.oneIn(2) ? 'en' : tongue] ?? LANGUAGES.en;
  if (!words) return null;
  const materials = seasoned(materialsOf(template), dice);
  const noun = dice.of(words.answer);
  const all = dice.of(NAMES).slice(0, count);
  const bare = count > 1 && dice.oneIn(6);
  const labels = count === 1 ? [noun] : all.map((name) => (bare ? name : `${noun} ${name}`));
  const frame = dice.of(FRAMES);
  const other = dice.oneIn(3) ? dice.of(FRAMES) : frame;
  const gap = dice.of(['\n\n', '\n\n', '\n', '\n\n---\n\n']);
  const { told, form, replies } = count === 1 ? alone(words, dice) : among(words, all, labels, dice);
  const asked = dice.of(words.question);
  const block = (
    role: Role,
    text: string,
    label: string,
    key: string,
    { open, close, ...how }: Frame,
  ): Piece[] => [open(label, key), { role, text, ...how }, close(label, key)];
  const hasAll = (name: 'reference' | 'rubric' | 'context') => materials.every((one) => one[name] !== null);
  const asides = (['reference', 'rubric', 'context'] as const).filter(hasAll);
  const early = asides.filter(() => dice.oneIn(2));
  const asksFirst = !materials.every(({ instruction }) => instruction === '');
  const orders = `${count === 1 ? words.judge : words.compare}${dice.of([' ', '\n'])}${told}`;
  const place = dice.of(['front', 'behind', 'system', 'both'] as const);
  const nonce = dice.oneIn(5);
  const example = dice.oneIn(7);
  const requests = materials.map((one, n): Message[] => {
    const blocks: Piece[][] = [];
    const put = (name: 'reference' | 'rubric' | 'context') =>
      blocks.push(block(name, one[name] ?? '', words[name], name, other));
    if (nonce) blocks.push(['Case id: ', { role: 'ignored', text: `7f${n}c-${n * 7919 + 13}-q` }]);
    if (asksFirst) blocks.push(block('instruction', one.instruction, asked, 'q', other));
    for (const name of early) put(name);
    for (const [index, text] of one.options.entries())
      blocks.push(block(index, text, labels[index] ?? '', all[index] ?? 'answer', frame));
    for (const name of asides) if (!early.includes(name)) put(name);
    const shown = example
      ? `Example:\n${labels.map((label, index) => frame.open(label, all[index] ?? 'answer') + ['Tea is hot.', 'Tea.', 'Hot tea, cold cup.'][index % 3] + frame.close(label, all[index] ?? 'answer')).join(gap)}\n${words.verdict}: ${replies[0]?.text ?? ''}\n\nNow your turn.\n\n`
      : '';
    const pieces = blocks.flatMap((some, at): Piece[] => (at === 0 ? some : [gap, ...some]));
    const first = place === 'front' || place === 'both' ? `${orders}\n\n` : '';
    const last = place === 'behind' ? `\n\n${orders}` : place === 'both' ? `\n\n${told}` : '';
    const user: Message = { role: 'user', pieces: [first + shown, ...pieces, last] };
    return place === 'system' ? [{ role: 'system', pieces: [orders] }, user] : [user];
  });
  return assembled(`${template.name}.rewritten`, template, labels, requests, { ...form }, replies);
}

interface Asked {
  readonly told: string;
  readonly form: VerdictForm;
  readonly replies: readonly Reply[];
}

function among(words: Language, names: readonly string[], labels: readonly string[], dice: Dice): Asked {
  const list = (all: readonly string[]) => `${all.slice(0, -1).join(', ')} ${words.or} ${all.at(-1)}`;
  const styles: readonly [
    readonly [string, (name: string) => string],
    ...(readonly [string, (name: string) => string])[],
  ] = [
    [`${words.winner}: `, (name) => `${words.winner}: ${name}`],
    ['[[', (name) => `[[${name}]]`],
    ['json', (name) => JSON.stringify({ winner: name })],
    ['bare', (name) => name],
    ['tag', (name) => `<verdict>${name}</verdict>`],
    ['silent', (name) => `${words.verdict} → ${name}`],
  ];
  const [style, write] = dice.of(styles);
  const full = dice.oneIn(4) ? labels : names;
  const told =
    style === 'silent'
      ? ''
      : style === 'bare'
        ? list(full)
        : list(full.map((name) => (style === 'json' ? write(name) : `"${write(name)}"`)));
  const replies = [1, 0, 1, 0].map(
    (option): Reply => ({ text: write(full[option] ?? ''), verdict: { choice: option } }),
  );
  return { told, replies, form: { kind: 'choice', where: style === 'json' ? 'json' : 'text' } };
}

function alone(words: Language, dice: Dice): Asked {
  const verdict = (kind: VerdictForm['kind'], where: VerdictForm['where']): VerdictForm => ({ kind, where });
  switch (dice.below(5)) {
    case 0:
      return {
        told: `{"score": 1-5}`,
        form: verdict('score', 'json'),
        replies: [4, 2, 5, 1].map((score) => ({ text: JSON.stringify({ score }), verdict: { score } })),
      };
    case 1:
      return {
        told: `"${words.score}: n" (1-10)`,
        form: verdict('score', 'text'),
        replies: [4, 9, 7].map((score) => ({ text: `${words.score}: ${score}`, verdict: { score } })),
      };
    case 2:
      return {
        told: `"${words.yes}" ${words.or} "${words.no}"`,
        form: verdict('pass', 'text'),
        replies: [true, false, true].map((pass) => ({
          text: pass ? words.yes : words.no,
          verdict: { pass },
        })),
      };
    case 3:
      return {
        told: `{"${words.verdict}": "gold" | "silver" | "bronze"}`,
        form: verdict('category', 'json'),
        replies: ['gold', 'bronze', 'silver'].map((category) => ({
          text: JSON.stringify({ [words.verdict]: category }),
          verdict: { category },
        })),
      };
    default:
      return {
        told: `[[1]] ${words.or} [[10]], [[rating]]`,
        form: verdict('score', 'text'),
        replies: [3, 8, 10].map((score) => ({ text: `[[${score}]]`, verdict: { score } })),
      };
  }
}

/** Two texts in one prompt that asks for no verdict. */
function intrude(template: JudgeTemplate, dice: Dice): JudgeTemplate {
  const texts = template.requests.map(({ slots }) =>
    [...slots.context, ...slots.instruction].map(({ text }) => text),
  );
  const all = texts.flat();
  const frame = dice.of(FRAMES);
  const noun = dice.of(LANGUAGES.en?.answer ?? ['Answer']);
  const names = dice.of(NAMES);
  const orders = dice.of([
    'Merge these two into one text.',
    'Summarise both in one sentence each.',
    'Write a third one in the same style.',
    'List the claims that both make.',
    'Translate both into French.',
    'Pick the best sentences of both and combine them into one better answer.',
    'Compare both and explain to a beginner how they differ.',
  ]);
  const front = dice.oneIn(2);
  const requests = template.requests.map((_, n): Message[] => {
    const two = [0, 1].flatMap((option): Piece[] => {
      const label = `${noun} ${names[option]}`;
      const text = all[(2 * n + option) % all.length] ?? '';
      return [
        frame.open(label, names[option] ?? ''),
        {
          role: 'context',
          text: `${text}`,
          encoding: frame.encoding ?? 'plain',
          indent: frame.indent ?? '',
        },
        `${frame.close(label, names[option] ?? '')}\n\n`,
      ];
    });
    return [{ role: 'user', pieces: front ? [`${orders}\n\n`, ...two] : [...two, orders] }];
  });
  const replies: Reply[] = [
    'Both say that tea is hot.',
    'Here it is: water boils.',
    'Done. See draft A and B.',
  ].map((text) => ({ text, verdict: { none: true } }));
  return assembled(
    `${template.name}.intruder`,
    template,
    [],
    requests,
    { kind: 'none', where: 'text' },
    replies,
  );
}

// The same prompt with something around it.

function rewrap(template: JudgeTemplate, dice: Dice): JudgeTemplate | null {
  const all = template.requests.map(messagesOf);
  const shapeOf = (messages: readonly Message[]) =>
    JSON.stringify(
      messages.map(({ role, pieces }) => [
        role,
        pieces.map((piece) => (typeof piece === 'string' ? piece : piece.role)),
      ]),
    );
  const [first] = all;
  if (!first || all.some((one) => shapeOf(one) !== shapeOf(first))) return null;
  const changes = template.source === 'made here' ? [...CHANGES, fenceTexts] : [...CHANGES];
  const chosen = [0, 1].map(() => changes.splice(dice.below(changes.length), 1)[0]);
  const made = chosen.flatMap((change) => change?.(dice) ?? []);
  const requests = all.map((messages, n) => made.reduce((now, change) => change(now, n), messages));
  const labels = template.requests[0]?.slots.options.map(({ label }) => label) ?? [];
  return assembled(`${template.name}.wrapped`, template, labels, requests, null, null);
}

type Change = (messages: readonly Message[], n: number) => Message[];

const CHANGES: readonly ((dice: Dice) => Change)[] = [
  // A nonce in front.
  () => (messages, n) =>
    onUser(messages, (pieces) => [
      'Trace: ',
      { role: 'ignored', text: `${n}f3a${n * 104_729 + 7}` },
      '\n\n',
      ...pieces,
    ]),
  // The time behind.
  () => (messages, n) =>
    onUser(messages, (pieces) => [
      ...pieces,
      '\n\nSent at ',
      { role: 'ignored', text: `2026-11-2${n}T0${n}:1${n}:00Z` },
    ]),
  // A prompt that is indented in its source.
  () => (messages) =>
    onUser(messages, (pieces) => [
      '    ',
      ...pieces.map((piece) => (typeof piece === 'string' ? piece.replaceAll('\n', '\n    ') : piece)),
    ]),
  // Further orders at the end.
  () => (messages) =>
    onUser(messages, (pieces) => [
      ...pieces,
      '\n\nThink step by step before you answer. Do not be swayed by length.',
    ]),
  // The system's words in the user's message.
  () => (messages) => {
    const system = messages.filter(({ role }) => role === 'system');
    const rest = messages.filter(({ role }) => role !== 'system');
    return onUser(rest, (pieces) => [...system.flatMap((one) => [...one.pieces, '\n\n']), ...pieces]);
  },
  // Lines that end as Windows has them.
  () => (messages) =>
    messages.map(({ role, pieces }) => ({
      role,
      pieces: pieces.map((piece) => (typeof piece === 'string' ? piece.replaceAll(/\r?\n/g, '\r\n') : piece)),
    })),
  // Labels without the space behind them.
  () => (messages) =>
    onUser(messages, (pieces) =>
      pieces.map((piece) => (typeof piece === 'string' ? piece.replace(/: $/, ':') : piece)),
    ),
  // Another sign behind labels.
  () => (messages) =>
    onUser(messages, (pieces) =>
      pieces.map((piece) => (typeof piece === 'string' ? piece.replace(/:(\s)$/, ' -$1') : piece)),
    ),
  // The same opening in most answers.
  (dice) => {
    const opening = dice.of(OPENINGS);
    const skipped = dice.below(6);
    return (messages, n) =>
      onUser(messages, (pieces) =>
        pieces.map((piece) =>
          typeof piece === 'string' || typeof piece.role !== 'number' || n === skipped
            ? piece
            : { ...piece, text: opening + piece.text },
        ),
      );
  },
  // An empty answer, one word, one line.
  (dice) => {
    const from = dice.below(6);
    return (messages, n) =>
      onUser(messages, (pieces) =>
        pieces.map((piece) =>
          typeof piece === 'string' || typeof piece.role !== 'number'
            ? piece
            : {
                ...piece,
                text:
                  [piece.text, piece.text, 'Teal', piece.text, piece.text.split('\n')[0] ?? '', ''][
                    (n + from + piece.role) % 6
                  ] ?? '',
              },
        ),
      );
  },
];

/** A fence around every text; nobody changes so the prompt of a client. */
const fenceTexts = (): Change => (messages) =>
  onUser(messages, (pieces) =>
    pieces.map((piece, n) => {
      if (typeof piece !== 'string') return piece;
      const opens = n < pieces.length - 1 && piece.endsWith('\n');
      return `${n > 0 && pieces[n - 2] !== undefined && String(pieces[n - 2]).endsWith('\n') ? '\n```' : ''}${piece}${opens ? '```\n' : ''}`;
    }),
  );

const onUser = (messages: readonly Message[], change: (pieces: readonly Piece[]) => Piece[]): Message[] => {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, n) =>
    n === last ? { ...message, pieces: change(message.pieces) } : { ...message },
  );
};

function messagesOf({ body, slots }: TemplateRequest): Message[] {
  const all = fillingsOf(slots);
  return textParts(body).map(({ role, text }, part) => {
    const here = all
      .filter(({ slot }) => slot.part === part)
      .sort((a, b) => a.slot.start - b.slot.start || a.slot.end - b.slot.end);
    const pieces: Piece[] = [];
    let from = 0;
    for (const { slot, role: what } of here) {
      pieces.push(text.slice(from, slot.start), {
        role: what,
        text: slot.text,
        ...(slot.encoding && { encoding: slot.encoding }),
        ...(slot.indent && { indent: slot.indent }),
      });
      from = slot.end;
    }
    return { role, pieces: [...pieces, text.slice(from)] };
  });
}

function fillingsOf({
  options,
  ...others
}: TemplateRequest['slots']): { readonly slot: Slot; readonly role: Role }[] {
  const roles = ['instruction', 'reference', 'rubric', 'context', 'ignored'] as const;
  return [
    ...roles.flatMap((role) => others[role].map((slot) => ({ slot, role }))),
    ...options.flatMap((option, n) => option.slots.map((slot) => ({ slot, role: n }))),
  ];
}

/** Fields of a body that say how the reply is to be written. */
const REPLY_FIELDS: readonly string[] = ['response_format', 'tools', 'text', 'generationConfig'];

/** @param form null where the verdict and the replies are those of the template */
function assembled(
  name: string,
  template: JudgeTemplate,
  labels: readonly string[],
  requests: readonly (readonly Message[])[],
  form: VerdictForm | null,
  replies: readonly Reply[] | null,
): JudgeTemplate {
  return {
    name,
    source: 'made here',
    kind: form?.kind === 'none' ? 'none' : template.kind,
    language: template.language,
    protocol: 'openai-chat',
    requests: requests.map((messages, n): TemplateRequest => {
      const old = template.requests[n];
      const slots: TemplateRequest['slots'] = {
        instruction: [],
        reference: [],
        rubric: [],
        context: [],
        ignored: [],
        options: labels.map((label) => ({ label: labels.length > 1 ? label : '', slots: [] })),
      };
      let ways = 1;
      const written = messages.map(({ role, pieces }, part) => {
        let text = '';
        const literals = [''];
        for (const piece of pieces) {
          if (typeof piece === 'string') {
            text += piece;
            literals.push((literals.pop() ?? '') + piece);
            continue;
          }
          const { role: what, encoding = 'plain', indent = '' } = piece;
          const raw = encode(piece.text, encoding, indent);
          const slot = {
            text: piece.text,
            part,
            pointer: `/messages/${part}/content`,
            start: text.length,
            end: text.length + raw.length,
            encoding,
            indent,
          };
          (typeof what === 'number' ? slots.options[what]?.slots : slots[what])?.push(slot);
          text += raw;
          literals.push('');
        }
        ways *= Math.max(1, countPlacements(text, literals));
        return { role, content: text };
      });
      const kept = form
        ? []
        : Object.entries(old?.body ?? {}).filter(([field]) => REPLY_FIELDS.includes(field));
      return {
        path: '/v1/chat/completions',
        body: { model: 'gpt-4o', ...Object.fromEntries(kept), messages: written },
        slots,
        verdict: form ?? old?.verdict ?? { kind: 'none', where: 'text' },
        replies: [...(replies ?? old?.replies ?? [])],
        expected: ways > 1 ? 'ambiguous' : 'slots',
      };
    }),
  };
}
