import type { AuditNote } from '#server/storage/audit/origin.ts';
import type { Changes } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import type { Services } from './services.ts';
import type { Viewer } from './viewer.ts';

/** The context of one call. `db` is the reader on a read, and the transaction on a write. */
export interface Context {
  services: Services;
  db: Db;
  viewer: Viewer;
  /** Origin for absolute URLs in answers, without a trailing slash. */
  baseUrl: string;
  address: string;
  /** Id of the request, as in its answer and in the log; null outside of requests. */
  requestId: string | null;
  headers: Record<string, string | undefined>;
  /** UNIX seconds at the start of the call. */
  seconds: number;
  /** Idempotency-Key of the call, if any. */
  key: string | null;
  /** The changes of the call. Only on a write. */
  changes: Changes;
  /** What the audit log states about the call in addition to the changed rows. Only on a write. */
  note: AuditNote;
  /**
   * Names the record that a replay of this call returns, and passes the body on. Kind and id are stored in the
   * transaction of the effect; the body, which may contain a secret, is not. The third argument of `handle` has a replay
   * for each kind.
   */
  respondWithRecord: RespondWithRecord;
  /** Stores the real id for the temporary id `key` that the device chose. */
  created(key: string, id: number | string): void;
  /** Sets the total number of records of a list, for `X-Total-Count` and the links to other pages. */
  total(count: number): void;
  /**
   * Runs `work` in a write transaction of its own. Only on endpoints with `transaction: 'handler'`, once per call,
   * because the transaction also records the key of the call. Work that threw had no effect and may be repeated.
   */
  write<T>(work: (ctx: Context) => Promise<T>): Promise<T>;
}

declare const forReplay: unique symbol;

/**
 * A body whose record was named with `respondWithRecord`, so that a replay can return it. Nothing else has this type.
 */
export type Remembered<T> = T & { readonly [forReplay]: true };

type RespondWithRecord = <T>(
  kind: string,
  id: number | string,
  body: T | Promise<T>,
) => Promise<Remembered<T>>;

/** Makes the `respondWithRecord` of a call. `note` receives kind and id of the record. */
export function respondingWithRecord(note: (kind: string, id: string) => void): RespondWithRecord {
  return async <T>(kind: string, id: number | string, body: T | Promise<T>) => {
    note(kind, String(id));
    return (await body) as Remembered<T>;
  };
}

/** The signed-in person's id; endpoints with access `user` have one. */
export function mustUserid(ctx: Context): number {
  if (ctx.viewer.userid === 0) throw new Error('Expected a signed-in viewer');
  return ctx.viewer.userid;
}
