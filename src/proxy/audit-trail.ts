/** The audit trail: who did what, in a table that is only ever added to. It holds no text of anybody's. */
import type { TableSql } from './storage/table-sql.ts';

export type AuditAction =
  | 'judged'
  | 'refused'
  | 'read'
  | 'labelled'
  | 'keys-read'
  | 'audit-started'
  | 'audit-removed'
  | 'templates-read'
  | 'template-approved'
  | 'template-rejected'
  | 'template-edited'
  | 'key-added'
  | 'key-revoked'
  | 'traces-erased'
  | 'trail-cut'
  | 'started'
  | 'reloaded';

export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Id of a key, `anyone` where none was needed, or `operator` for the command line. */
  readonly who: string;
  readonly action: AuditAction;
  /** Id of a trace, audit or key, the reason of a refusal, which traces were erased, or the SHA-256 of the entries that were cut. */
  readonly subject: string;
}

export interface AuditTrail {
  /**
   * Of what is about to be done. Resolves when it is written down for good. Rejects where it is not, and then it never will be:
   * what it tells of is not to be done.
   */
  add(entry: AuditEntry): Promise<void>;
  /**
   * Of what has been done. Resolves when it is written down for good. Rejects where that cannot be done now: the entry is owed,
   * and written as soon as it can be.
   */
  addDone(entry: AuditEntry): Promise<void>;
  /** Writes what is owed. Rejects where some of it still cannot be written. */
  settle(): Promise<void>;
  /** How many entries are owed. */
  owed(): number;
}

/** Entries owed at most. Nobody is let in who could add to them, so there are as many as there were requests under way. */
const MOST_OWED = 10_000;

/** @param add resolves when the entry is written down for good; where it rejects, the entry may be added again */
export function createAuditTrail(add: AuditTrail['add']): AuditTrail {
  let owed: AuditEntry[] = [];
  let settling: Promise<void> | null = null;

  async function settle(): Promise<void> {
    const tried = owed;
    owed = [];
    const results = await Promise.allSettled(tried.map(add));
    const failed = tried.filter((_, place) => results[place]?.status === 'rejected');
    owed = [...failed, ...owed];
    const reason = results.find((result) => result.status === 'rejected');
    if (reason) throw reason.reason;
  }

  return {
    add,
    async addDone(entry) {
      try {
        await add(entry);
      } catch (error) {
        if (owed.length < MOST_OWED) owed.push(entry);
        throw error;
      }
    },
    settle() {
      settling ??= settle().finally(() => {
        settling = null;
      });
      return settling;
    },
    owed: () => owed.length,
  };
}

/** Time, who, action, subject. */
export const ADD_ENTRY = 'INSERT INTO audit (time, who, action, subject) VALUES (?, ?, ?, ?)';

/** @param sql with the table `audit` of migration 0002 */
export const createStoredTrail = ({ run }: Pick<TableSql, 'run'>): AuditTrail =>
  createAuditTrail(({ time, who, action, subject }) =>
    run([ADD_ENTRY, new Date(time).toISOString(), who, action, subject]),
  );
