/** What the upstream does with a call: a true reply, or one that a bad day on the network makes of it. */
import { gzipSync } from 'node:zlib';
import type { Protocol } from './protocols.ts';
import type { Random } from './random.ts';
import { mutated } from './readers/mutate.ts';

export interface Plan {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Written one after the other. */
  readonly pieces: readonly Buffer[];
  /** Milliseconds before the headers, and between two pieces. */
  readonly before: number;
  readonly between: number;
  /** How it ends: as it should, by a reset, or never. */
  readonly end: 'finish' | 'reset' | 'hang';
}

const SAYS = [
  'Output (a)',
  'Output (b)',
  'Output (a)',
  'Output (b)',
  'Output (a)\n\nNot Output (b).',
  '[[A]]',
  '[[B]]',
  '[[C]]',
  'Score: 7',
  'Score: 3',
  'I am sorry, I cannot judge that.',
  '',
  '<think>hm</think> Output (b)',
  '<think>hm',
  'x\0\ud800 Output (a) 你好 مرحبا 🎉',
];

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENT_TYPE = { 'content-type': 'text/event-stream; charset=utf-8' };

function chopped(bytes: Buffer, random: Random): Buffer[] {
  const most = random.pick([1, 3, 17, 400, 100_000]);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length && pieces.length < 600; ) {
    const end = pieces.length === 599 ? bytes.length : at + 1 + random.below(most);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}

const LONG_PAUSE_MS = 330;

function inFour(bytes: Buffer): Buffer[] {
  const length = Math.ceil(bytes.length / 4);
  return [0, 1, 2, 3].map((i) => bytes.subarray(i * length, (i + 1) * length));
}

export function planOf(protocol: Protocol, stream: boolean, random: Random): Plan {
  const text = random.pick(SAYS);
  const whole = () => JSON.stringify(protocol.whole(text), null, random.pick([0, 0, 1]));
  const events = () => protocol.events(text);
  const as = stream && random.chance(0.97) ? events().join('') : whole();
  const headers: Record<string, string> = { ...(stream ? EVENT_TYPE : JSON_TYPE), 'x-request-id': 'r1' };
  const good: Plan = {
    status: 200,
    headers,
    pieces: chopped(Buffer.from(as), random),
    before: random.chance(0.1) ? random.below(150) : 0,
    between: 0,
    end: 'finish',
  };
  const saying = (body: string | Buffer, status = 200, more: Record<string, string> = headers): Plan => ({
    ...good,
    status,
    headers: more,
    pieces: chopped(Buffer.from(body), random),
  });
  if (random.chance(0.45)) return good;
  switch (random.below(22)) {
    case 0:
    case 1: {
      const bytes = Buffer.from(as);
      for (let i = 0; i <= random.below(4); i++) {
        const at = random.below(bytes.length);
        bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << random.below(8)), at);
      }
      return saying(bytes);
    }
    case 2:
    case 3:
      return saying(Buffer.from(as).subarray(0, random.below(as.length)));
    case 4:
      return { ...saying(Buffer.from(as).subarray(0, random.below(as.length))), end: 'reset' };
    case 5:
      return saying(as, 200, {
        'content-type': random.pick([
          'text/html',
          'text/plain',
          'application/octet-stream',
          'application/json; charset=latin1',
        ]),
      });
    case 6:
      return saying('<!doctype html><h1>502 Bad Gateway</h1>', random.pick([200, 502, 503]), {
        'content-type': 'text/html',
      });
    case 7:
      return saying('');
    case 8:
      return saying(stream ? as.replaceAll('\n', '\r') : as.replaceAll(',', ',\r\n'));
    case 9:
      return saying(stream ? events().slice(0, -1).join('') : 'null');
    case 10: {
      const all = events();
      const at = random.below(all.length);
      return saying(stream ? all.toSpliced(at, 0, all[at] ?? '').join('') : whole() + whole());
    }
    case 11:
      return saying('{"error":{"message":"overloaded","type":"server_error"}}', 200);
    case 12:
      return { ...saying('', 204), pieces: [] };
    case 13:
      return saying('', random.pick([301, 302, 307, 304]), { location: 'http://127.0.0.1:9/elsewhere' });
    case 14:
      return saying(
        '{"error":{"message":"no","type":"invalid_request_error"}}',
        random.pick([400, 401, 403, 404, 422]),
      );
    case 15:
      return saying('{"error":{"message":"slow down"}}', random.pick([429, 500, 503, 529]), {
        ...JSON_TYPE,
        'retry-after': random.pick(['0', '1', 'soon', '-1', '99999']),
      });
    case 16: {
      const pieces = chopped(Buffer.from(as), random).slice(0, 60);
      const beat = random.below(12);
      // Or it says little at a time, with pauses that are long, but never as long as it is waited for.
      if (beat < 3) return { ...good, pieces: inFour(Buffer.from(as)), between: LONG_PAUSE_MS };
      return { ...good, pieces, between: 3 + beat };
    }
    case 17:
      return { ...good, pieces: [], end: 'hang' };
    case 18:
      return { ...good, before: 60_000 };
    case 19:
      return { ...good, pieces: [], before: 0, end: 'reset' };
    case 20:
      return saying(
        gzipSync(as),
        200,
        random.chance(0.5) ? { ...headers, 'content-encoding': 'gzip' } : headers,
      );
    default:
      return saying(
        random.pick([
          `\ufeff${as}`,
          `: ping\n\n${as}`,
          ` \n${as}`,
          as.replaceAll('\n\n', '\n'),
          `${as}\n\n${as}`,
          as.replaceAll('"', ''),
          '[]',
          '{}',
          '"x"',
          '\0',
          'data: \n\n',
          'data: {\n\n',
        ]),
      );
  }
}

/** What a piece of the fuzzing does with a reply that says this: nothing, change it at random, or break it off. */
export function pieceReplyOf(
  piece: 'requests' | 'replies' | 'cuts',
  protocol: Protocol,
  stream: boolean,
  said: string,
  random: Random,
): Plan {
  const say = (text: string) =>
    stream ? protocol.events(text).join('') : JSON.stringify(protocol.whole(text));
  const as = say(random.chance(0.7) ? said : random.pick(SAYS));
  const good: Plan = {
    status: 200,
    headers: { ...(stream ? EVENT_TYPE : JSON_TYPE), 'x-request-id': 'r1' },
    pieces: chopped(Buffer.from(as), random),
    before: 0,
    between: 0,
    end: 'finish',
  };
  if (piece === 'requests' || random.chance(0.3)) return good;
  if (piece === 'replies') {
    const changed = mutated(as, say(random.pick(SAYS)), random);
    if (random.chance(0.6)) return { ...good, pieces: chopped(Buffer.from(changed), random) };
    const plan = planOf(protocol, stream, random);
    return plan.end === 'finish' && plan.before < 1_000 ? plan : good;
  }
  const bytes = Buffer.from(as);
  const pieces = chopped(bytes.subarray(0, random.below(bytes.length + 1)), random);
  const few = pieces.length < 40 && random.chance(0.3);
  return {
    ...good,
    pieces,
    between: few ? random.below(30) : 0,
    end: random.pick(['reset', 'reset', 'finish', 'hang'] as const),
  };
}
