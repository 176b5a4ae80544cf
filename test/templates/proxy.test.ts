/** Templates that nobody has seen before, over HTTP, in front of a judge that likes the first place. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRemand } from '../../prompts/remand-note.ts';
import { exchange, type Reply, startProxy, startUpstream } from '../proxy/servers.ts';
import { JudgeTemplate, type TemplateRequest, textParts } from './schema.ts';

const FOLDER = join(import.meta.dirname, 'seen');

const templates = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JudgeTemplate.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))));

/** Read in no reply so far, and the proxy says so: the verdict is a sentence around a label that is an everyday word. */
const NO_VERDICT_READ: ReadonlySet<string> = new Set(['night-editor-prose-verdict']);

/** Pairs whose verdict is a choice that stands in the reply's text. */
const pairs = templates.filter(
  ({ name, kind, protocol, requests: [first] }) =>
    !NO_VERDICT_READ.has(name) &&
    kind !== 'none' &&
    protocol === 'openai-chat' &&
    first?.slots.options.length === 2 &&
    first.verdict.kind === 'choice' &&
    first.verdict.where !== 'tool',
);

/** The reply's text for an option, in the template's own form. */
function replyFor({ requests }: JudgeTemplate, option: number): string {
  for (const { replies } of requests)
    for (const { text, verdict } of replies)
      if ('choice' in verdict && verdict.choice === option) return text;
  const [of0] = requests.flatMap(({ replies, verdict }) =>
    replies
      .filter(({ verdict: given }) => 'choice' in given && given.choice === 0)
      .map(({ text }) => ({ text, labels: verdict.labels ?? {} })),
  );
  const [from, to] = [0, option].map(
    (index) => Object.entries(of0?.labels ?? {}).find(([, meaning]) => meaning === index)?.[0] ?? '',
  );
  return of0?.text.replaceAll(from ?? '', () => to ?? '') ?? '';
}

const textOf = (body: unknown) =>
  textParts(body as Record<string, unknown>)
    .map(({ text }) => text)
    .join('\n');

/** Where the better option stands: it is the second one as the client sent the case. */
function placeOfBetter(request: TemplateRequest, text: string): number {
  const places = request.slots.options.flatMap(({ slots }) => slots);
  const part = places[0]?.part ?? 0;
  const [start, end] = [
    Math.min(...places.map((slot) => slot.start)),
    Math.max(...places.map((slot) => slot.end)),
  ];
  const parts = textParts(request.body).map((one) => one.text);
  const last = places.at(-1)?.part ?? part;
  const asGiven =
    last > part ? parts.slice(part, last + 1).join('\n') : (parts[part]?.slice(start, end) ?? '');
  return text.includes(asGiven) ? 1 : 0;
}

function placeLover(template: JudgeTemplate, current: () => TemplateRequest | undefined): Reply {
  return (received, response) => {
    const text = textOf(JSON.parse(received.body.toString()));
    const request = current();
    const better = findRemand(text) !== null && request ? placeOfBetter(request, text) : 0;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: replyFor(template, better) },
            finish_reason: 'stop',
          },
        ],
      }),
    );
  };
}

/** Sends all requests in order; the status of each, and what came back. */
async function run(template: JudgeTemplate) {
  let current: TemplateRequest | undefined;
  const upstream = await startUpstream(placeLover(template, () => current));
  // A busy machine may take longer over the reading and the learning than a server allows itself.
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_BIASES: 'position',
    REMAND_READ_MS: '10000',
  });
  const answers: { status: string; reason: string; content: string }[] = [];
  for (const request of template.requests) {
    current = request;
    const answer = await exchange(`${proxy.url}${request.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request.body),
    });
    const { choices } = JSON.parse(answer.body.toString());
    answers.push({
      status: String(answer.headers['x-remand-status']),
      reason: String(answer.headers['x-remand-reason']),
      content: choices[0].message.content,
    });
  }
  return answers;
}

/**
 * Templates that were not read yet when their held-back set was opened or when they were written. Of most the replies alone
 * tell the options or the form, and this judge, which always says the first, does not.
 */
const NEWLY_OPEN = [
  'alert-sirens-which-sms',
  'hi-upar-neeche',
  'quick-n-dirty-ab-typos',
  'shell-snippet-upper-lower',
  'turns-one-per-draft',
  'two-messages-likert-seven',
  'opencompass-bench-en',
  'habit-two-bird-identifications-four-fields-each',
  'habit-zh-tw-zhi-zhun-xie-jia-huo-yi',
  'habit-any-number-of-epitaph-drafts-json',
  'habit-id-teknisi-sepeda-lebih-baik-setara',
  'habit-ja-kaigo-henji-must-ng-narabi',
  'habit-limerick-halves-five-slots-each',
  'habit-recital-two-programme-notes-model-note-above',
  'habit-es-etiquetas-de-quejas-json',
  'habit-greenhouse-robot-runs',
  'habit-ko-chamgo-jeongdap-deo-naeun',
  'habit-nl-magazijn-twee-ritten',
  'habit-verdict-plus-or-minus-one',
  'habit-zh-two-aunts-name-a-boat',
  'museum-label-definition-list',
  'concierge-bots-step-by-step',
  'patchnote-red-blue-shots',
  'sw-ushauri-wa-shamba-jibu-lipi',
  'xml-attributes-hostile-close',
  'two-replies-tilde-walls',
  'pt-formulario-html-escapado',
  'interleaved-bots-per-turn',
  'csv-two-rows-better',
  'comparison-table-two-columns',
  'fr-agence-premiere-seconde',
  'fr-duel-reponses',
  'label-stands-behind-text',
  'nmt-ab-terse',
  'npc-lines-winner-number',
  'tr-sohbet-iki-asistan',
];

/** DeepEval gives its contestants other names in every request: no literal names the options. */
const UNREAD = ['deepeval-arena'];

test.each(UNREAD)('%s is left alone, and told', async (name) => {
  const template = pairs.find((one) => one.name === name);
  const answers = template ? await run(template) : [];
  expect(
    answers.slice(3).every(({ status, reason }) => status === 'no-verdict' && reason !== 'undefined'),
  ).toBe(true);
});

/** Their judges give a reason only where they say B, or say how strong it is, and the replies learned from all say A. */
const REPLY_UNREAD = [
  'clinicians-blind-pair-table',
  'de-kundenservice-antwort-eins-oder-zwei',
  'pt-duas-versoes-modelo',
  'habit-next-trench-proposal-underlined-sections',
  'habit-id-pembanding-resep-hasil-json',
  'habit-ja-seikai-areba-kuraberu-hikiwake',
  'habit-lyric-versions-axes-then-whole',
  'habit-travel-blogs-more-detail-same',
  'habit-bold-labels-legend-sources-fenced-both',
  'habit-de-vereinsrecht-quoted-feinabstimmung',
  'habit-pl-kanal-zalogi-riposta-obie-slabe',
  'habit-tabbed-two-postcards-warm-and-short',
  'de-mietrecht-zwei-auskuenfte',
  'de-bahnansage-rot-gruen',
  'habit-ja-kaitou-ab-json-hantei',
  'tr-iki-metin-hangisi',
];

test.each(REPLY_UNREAD)(
  '%s keeps its first verdict, and the status says that a reply was not read',
  async (name) => {
    const template = pairs.find((one) => one.name === name);
    const answers = template ? await run(template) : [];
    expect(answers.slice(3).map(({ status, reason, content }) => [status, reason, content])).toEqual(
      Array(3).fill(['failed-open', 'unreadable-verdict', template && replyFor(template, 0)]),
    );
  },
);

describe.each(pairs.filter(({ name }) => ![...UNREAD, ...REPLY_UNREAD].includes(name)))(
  '$name',
  (template) => {
    const mayBeLeftAlone = NEWLY_OPEN.includes(template.name);

    test(`is revised from its fourth request on, in its own form${mayBeLeftAlone ? ', or left alone and told' : ''}`, async () => {
      const answers = await run(template);
      const told = answers.slice(3).map(({ status, content, reason }, n) => {
        const { expected, slots } = template.requests[n + 3] ?? {};
        const [a, b] = slots?.options.map(({ slots: [slot] }) => slot?.text) ?? [];
        if (mayBeLeftAlone && status === 'no-verdict' && reason !== 'undefined') return ['told', 'told'];
        if (expected === 'ambiguous') return [`${status} ${reason}`, 'no-verdict ambiguous'];
        // The scripted judge finds the options by their texts.
        if (!a || !b || a === b) return ['equal', 'equal'];
        return [`${status} ${content}`, `revised ${replyFor(template, 1)}`];
      });
      // Confirmed by three cases that it reads for certain: one that imitates the template does not count, the one that is
      // read does.
      const uncertain = template.requests
        .slice(0, 3)
        .filter(({ expected }) => expected === 'ambiguous').length;
      for (const [was, wanted] of told.slice(Math.max(0, uncertain - 1))) expect(was).toBe(wanted);
    });
  },
);
