import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';

import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tx, Tables } from '#server/storage/tables.ts';

import type { AuditNote, AuditObject, Origin } from './origin.ts';
import type { RowWatcher, SeenChange } from './watched.ts';

/** The last row of the log. */
export interface Head {
  seq: number;
  hash: string;
}

/** Writes the audit log for one connection: a row for each piece of work that changed something, in its transaction. */
export class Recorder {
  readonly #watcher: RowWatcher;
  readonly #now: () => number;

  /** `now`: wall clock, ms. */
  constructor(watcher: RowWatcher, now: () => number) {
    this.#watcher = watcher;
    this.#now = now;
  }

  /** Runs one piece of work and appends its row, unless nothing changed and `note.outcome` is not set. */
  async record<T>(tx: Tx, origin: Origin, work: (tx: Tx, note: AuditNote) => Promise<T>): Promise<T> {
    const note: AuditNote = {};
    this.#watcher.begin();
    let value: T;
    try {
      value = await work(tx, note);
    } catch (error) {
      this.#watcher.drop();
      throw error;
    }
    const [changes, last] = await Promise.all([this.#watcher.end(tx), headOf(tx)]);
    if (changes.length > 0 || note.outcome !== undefined)
      await append(tx, last, rowOf(origin, note, changes, this.#now()));
    return value;
  }
}

type NewRow = Omit<AuditRow, 'seq' | 'prev_hash' | 'hash'>;

function rowOf(origin: Origin, note: AuditNote, changes: SeenChange[], at: number): NewRow {
  const object = note.object ?? origin.object ?? objectOf(changes);
  const versioned = changes.find((one) => one.revisionBefore != null || one.revisionAfter != null);
  return {
    at,
    userid: note.by?.userid ?? origin.userid,
    name: note.by?.name ?? origin.name,
    impersonator: origin.impersonator ?? null,
    action: note.action ?? origin.action,
    outcome: note.outcome ?? 'done',
    object: object.kind,
    object_id: object.id,
    revision_before: versioned?.revisionBefore ?? null,
    revision_after: versioned?.revisionAfter ?? null,
    address: origin.address ?? '',
    changes: changesText(changes, note),
  };
}

/** The record of the first changed row. */
function objectOf([first]: SeenChange[]): AuditObject {
  if (first === undefined) return { kind: '', id: '' };
  return { kind: first.table, id: Object.values(first.key).join(' ') };
}

function changesText(changes: SeenChange[], { facts }: AuditNote): string {
  const rows = changes.map(({ table, op, key, old, new: now }) => ({
    table,
    op,
    key,
    ...(old === undefined ? {} : { old }),
    ...(now === undefined ? {} : { new: now }),
  }));
  return JSON.stringify([...(facts === undefined ? [] : [{ facts }]), ...rows]);
}

/** Appends a row about work whose changes nobody watches, inside its transaction. `at`: UNIX milliseconds. */
export async function appendNote(db: Db, origin: Origin, note: AuditNote, at: number): Promise<Head> {
  return append(db, await headOf(db), rowOf(origin, note, [], at));
}

/** Appends a row to the chain behind its last row, inside the transaction of its changes. */
async function append(tx: Db, last: Head, row: NewRow): Promise<Head> {
  const linked = { seq: last.seq + 1, ...row, prev_hash: last.hash };
  const hash = hashOf(linked);
  await insertRow(tx, { ...linked, hash });
  return { seq: linked.seq, hash };
}

/** The last row of the chain; seq 0 for an empty log. */
export async function headOf(db: Db): Promise<Head> {
  const [last] = await lastRow(db, {});
  return last ?? { seq: 0, hash: noHash };
}

const lastRow = prepared<Record<never, never>, Head>((db) =>
  db.selectFrom('audit_log').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1),
);

const insertRow = prepared<{ [Name in keyof AuditRow]: AuditRow[Name] }, unknown>((db, value) =>
  db.insertInto('audit_log').values({
    seq: value('seq'),
    at: value('at'),
    userid: value('userid'),
    name: value('name'),
    impersonator: value('impersonator'),
    action: value('action'),
    outcome: value('outcome'),
    object: value('object'),
    object_id: value('object_id'),
    revision_before: value('revision_before'),
    revision_after: value('revision_after'),
    address: value('address'),
    changes: value('changes'),
    prev_hash: value('prev_hash'),
    hash: value('hash'),
  }),
);

/** A row of the audit log as it is stored. */
export type AuditRow = Selectable<Tables['audit_log']>;

/** The previous hash of the first row. */
export const noHash = '0'.repeat(64);

/**
 * The hash of a row: SHA-256 in hexadecimal over the JSON list of its columns in the order of the table, including the
 * hash of the previous row and excluding its own. It covers every column, so that none can be changed unnoticed.
 */
export function hashOf(row: Omit<AuditRow, 'hash'>): string {
  const canonical = JSON.stringify([
    row.seq,
    row.at,
    row.userid,
    row.name,
    row.impersonator,
    row.action,
    row.outcome,
    row.object,
    row.object_id,
    row.revision_before,
    row.revision_after,
    row.address,
    row.changes,
    row.prev_hash,
  ]);
  return hash('sha256', canonical);
}
