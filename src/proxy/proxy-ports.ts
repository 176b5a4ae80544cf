/** What the app is handed: everything that touches the world outside it. */
import type { Context } from 'hono';
import type { TemplateBook } from '../case/index.ts';
import type { Detector, DetectorName } from '../detect/index.ts';
import type { Ledger } from '../models/index.ts';
import type { Clock, Fetch } from '../ports.ts';
import type { TraceStore } from '../trace/index.ts';
import type { Door } from './access/door.ts';
import type { KeyTable } from './access/key-store.ts';
import type { AnchorStore } from './anchors/anchor-store.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { Audits } from './audits/audit-job.ts';
import type { CacheStore } from './cache/cache-store.ts';
import type { CallMemory } from './cache/call-memory.ts';
import type { LabelStore } from './labels/label.ts';
import type { Limits } from './limits/account-book.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Telemetry } from './telemetry/who.ts';
import type { TemplateKeeper } from './templates/keeper.ts';
import type { TemplateReader } from './templates/reader.ts';

export interface Ports {
  /** The way to the judge: a pool, the runtime's own fetch, the sandbox, a recording. */
  readonly fetch: Fetch;
  /** What the path of a request is added to. */
  readonly judgeUrl: string;
  /**
   * The request's path and query as they were sent. Frameworks hand on what a URL parser made of them
   * (`'` becomes `%27`), where the runtime still has the original it is taken from there.
   */
  readonly target: (c: Context) => string;
  readonly clock: Clock;
  /**
   * Milliseconds of CPU that this thread has used. Missing where the runtime does not tell: in workerd time stands still
   * while a request computes, so there only the length of what is read is limited.
   */
  readonly cpu?: () => number;
  /**
   * A new id, hard to guess. Best one that begins with the time (UUIDv7, RFC 9562 §5.7): rows that are written together then
   * lie together in the index, and a batch of them touches one page of it rather than one each.
   */
  readonly id: () => string;
  /** Null where no traces are kept. */
  readonly traces: TraceStore | null;
  /** What people say of judgments; null where traces are not kept either. */
  readonly labels: LabelStore | null;
  /** Null where nobody is told of judgments. */
  readonly telemetry: Telemetry | null;
  /** Null where none is kept. */
  readonly audit: AuditTrail | null;
  /** Audits of judges that run on by themselves; missing or null where there is no place for them. */
  readonly audits?: Audits | null;
  /** What judges said of the anchor cases; missing where there is no place for it. */
  readonly anchors?: AnchorStore;
  /** The templates by which requests are read. */
  readonly templates: TemplateBook;
  /** Keeps the templates that are learned. */
  readonly templateKeeper: TemplateKeeper;
  /** Asks a model about templates; missing or null where none is to be asked. */
  readonly templateReader?: TemplateReader | null;
  readonly door: Door;
  /** Where keys are made and revoked over HTTP; null where there is no database. */
  readonly keys: KeyTable | null;
  /** So many random bytes. */
  readonly random: (bytes: number) => Uint8Array;
  readonly limits: Limits;
  /** Replies to the calls of other judgments; missing where none are kept. */
  readonly memory?: CallMemory;
  /** Null where there is no place for answers. */
  readonly cache: CacheStore | null;
  /** Rejects where requests had better go elsewhere: what is to be kept could not be, or the server stops. */
  readonly ready: () => Promise<void>;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Runs work after the answer has gone out; it never rejects. At the edge it belongs to one request. */
  readonly waitUntil: (work: () => Promise<void>, c: Context) => void;
  /**
   * Ends the client's connection in the middle of a reply. Null where the runtime has no way to: there the reply's stream
   * ends with an error, which @hono/node-server would print with its stack.
   */
  readonly cutOff: ((c: Context) => void) | null;
  /**
   * A detector that writes its calls into the judgment's ledger; null where it is not set up.
   *
   * @param who id of the key that the judgment is for; null without one
   */
  readonly detector: (name: DetectorName, ledger: Ledger, who: string | null) => Detector | null;
}
