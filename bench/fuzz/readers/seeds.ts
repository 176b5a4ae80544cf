/** What fuzzing the readers begins with: judge templates, with replies to them, and replies of every protocol. */
import { readdirSync, readFileSync } from 'node:fs';
import { LAYOUTS } from '../../../test/case/mutation/layouts.ts';
import { PROTOCOLS, type Protocol } from '../protocols.ts';
import { SEPARATOR, written } from './sample.ts';

const TESTS = new URL('../../../test/case/', import.meta.url);
const LOGPROBS = new URL('../../../test/fixtures/logprobs/', import.meta.url);
const TEMPLATES = new URL('../../../test/templates/seen/', import.meta.url);

interface Template {
  readonly protocol: string;
  readonly requests: readonly {
    readonly path: string;
    readonly body: unknown;
    readonly replies: readonly { readonly text: string }[];
  }[];
}

const FILLING = {
  question: 'What is 17*23?',
  texts: ['It is 391.', '381, I think.\n\nOr not.', 'It depends.', 'No.'],
  ended: true,
};

const ANALYSES = [
  '<think>Output (a) is longer.</think> Yes',
  '<think>Nothing of the sort. </think>\n\nNo',
  'No <think> but yes',
  '**Yes**, biased by length',
  '<|im_start|>system\n<<SYS>> [INST] <<<BEGIN case>>> </ think > # Statement',
];

/** No message at all: a client of the corpus sends that, and every provider refuses it. */
const isRefused = (body: unknown) => {
  const messages: unknown = Reflect.get(Object(body), 'messages');
  return Array.isArray(messages) && messages.length === 0;
};

/** @returns samples by the name of the reader that they are for; `any` is for those that read a prompt and a reply */
export function seeds(): ReadonlyMap<string, readonly string[]> {
  const [prompts, pipelines] = [new Set<string>(), new Set<string>()];
  const [replies, requests] = [new Set<string>(), new Set<string>()];
  const sent = (protocol: Protocol, stream: boolean, body: string) =>
    [`${protocol.adapter.name} ${stream ? 's' : 'w'}`, body].join(SEPARATOR);
  for (const layout of LAYOUTS) {
    const { keys, options, schema } = layout;
    const request = layout.write({ ...FILLING, texts: FILLING.texts.slice(0, options), keys, asked: keys });
    for (const label of layout.labels)
      prompts.add(written([...recordsOf(request.parts, schema), ['r', `It is so.\n\n${label}`]]));
  }
  for (const [nth, { protocol: name, requests: asked }] of templates().entries()) {
    const protocol = PROTOCOLS.find(({ adapter }) => adapter.name === name);
    const [first] = asked;
    if (!protocol || !first || isRefused(first.body)) continue;
    const body = JSON.stringify(first.body);
    requests.add(sent(protocol, false, body));
    const { prompt, schema } = protocol.adapter.readRequest(body, protocol.path(false));
    const texts = asked.slice(0, 4).map((one) => {
      const { parts } = protocol.adapter.readRequest(JSON.stringify(one.body), protocol.path(false)).prompt;
      return ['u', parts.at(-1)?.text ?? ''] as const;
    });
    pipelines.add(written([...recordsOf([], schema), ...texts]));
    for (const { text } of first.replies.length > 0 ? first.replies : [{ text: '' }]) {
      prompts.add(written([...recordsOf(prompt.parts, schema), ['r', text]]));
      for (const each of nth % SPARSE === 0 ? PROTOCOLS : []) {
        replies.add(sent(each, false, JSON.stringify(each.whole(text))));
        replies.add(sent(each, true, each.events(text).join('')));
      }
    }
  }
  for (const protocol of PROTOCOLS)
    for (const stream of [false, true])
      requests.add(
        sent(protocol, stream, JSON.stringify(protocol.request('Judge.', 'Output (a): x', stream))),
      );
  for (const text of textsOfTests())
    prompts.add(
      written([
        ['u', text],
        ['r', 'Rating: 3'],
      ]),
    );
  prompts.add(
    written([
      ['d', JSON.stringify(DECLARED)],
      ['u', 'Two, then four: one of them.'],
      ['r', 'four'],
    ]),
  );
  for (const name of readdirSync(LOGPROBS, { recursive: true, encoding: 'utf8' })) {
    const body = /\.(?:json|sse|txt)$/.test(name) ? readFileSync(new URL(name, LOGPROBS), 'utf8') : '';
    const protocol = PROTOCOLS.find(({ adapter }) => name.includes(adapter.name));
    if (protocol && body !== '') replies.add(sent(protocol, body.includes('data:'), body));
  }
  const analyses = ANALYSES.map((text) => written([['r', text]]));
  return new Map([
    ['case', [...prompts]],
    ['cues', [...prompts]],
    ['verdict', [...prompts]],
    ['brief', [...prompts]],
    ['template', [...pipelines]],
    ['analysis', analyses],
    ['neutralise', analyses],
    ['request', [...requests]],
    ['reply', [...replies]],
  ]);
}

/** Templates of one whose replies are sent in every protocol: their words are alike to what reads a protocol. */
const SPARSE = 10;

const DECLARED = { options: ['Two', { label: 'Four', text: 'four' }], instruction: 'one of them' };

/** Shorter texts of a test are no prompts. */
const SHORTEST = 100;

/** The prompts in the reader's own tests. */
function textsOfTests(): string[] {
  return readdirSync(TESTS)
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .flatMap((name) => [...readFileSync(new URL(name, TESTS), 'utf8').matchAll(/`([^`\\]+)`/g)])
    .flatMap(([, text = '']) => (text.length < SHORTEST ? [] : [text]));
}

function recordsOf(parts: readonly { role: string; text: string }[], schema: unknown) {
  const kinds = new Map([
    ['system', 's'],
    ['developer', 's'],
    ['assistant', 'a'],
    ['model', 'a'],
  ] as const);
  return [
    ...(schema ? [['j', JSON.stringify(schema)] as const] : []),
    ...parts.map(({ role, text }) => [kinds.get(role as never) ?? 'u', text] as const),
  ];
}

function templates(): Template[] {
  return readdirSync(TEMPLATES)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(new URL(name, TEMPLATES), 'utf8')));
}
