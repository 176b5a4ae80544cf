/** The audit trail: who did what, in a table that is only ever added to. It holds no text of anybody's. */
import type { DatabaseSync } from 'node:sqlite';
import type { D1 } from './storage/d1.ts';
import { type Together, writesTogether } from './storage/together.ts';
import { directWriter } from './storage/writes.ts';

export type Action =
  | 'judged'
  | 'refused'
  | 'read'
  | 'labelled'
  | 'keys-read'
  | 'audit-started'
  | 'audit-removed'
  | 'key-added'
  | 'key-revoked'
  | 'started'
  | 'reloaded';

export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Id of a key, `anyone` where none was needed, or `operator` for the command line. */
  readonly who: string;
  readonly action: Action;
  /** Id of a trace, audit or key, or the reason of a refusal. */
  readonly subject: string;
}

export interface AuditTrail {
  add(entry: AuditEntry): Promise<void>;
}

const ADD = 'INSERT INTO audit (time, who, action, subject) VALUES (?, ?, ?, ?)';

const values = ({ time, who, action, subject }: AuditEntry) => [
  new Date(time).toISOString(),
  who,
  action,
  subject,
];

export function sqliteAudit(
  database: DatabaseSync,
  together: Together = writesTogether(directWriter(database)),
): AuditTrail {
  return { add: (entry) => together.write({ statement: ADD, values: values(entry) }) };
}

export function d1Audit(database: D1): AuditTrail {
  return {
    async add(entry) {
      await database
        .prepare(ADD)
        .bind(...values(entry))
        .run();
    },
  };
}
