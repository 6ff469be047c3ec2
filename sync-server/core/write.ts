import type { AuditNote, Origin } from '#server/storage/audit/origin.ts';
import type { Services } from './services.ts';
import type { Viewer } from './viewer.ts';
import { Changes } from '#server/storage/feed.ts';
import type { Tx } from '#server/storage/tables.ts';

/** The changes and author of a write, before its feed rows are written. */
export interface Written {
  tx: Tx;
  services: Services;
  changes: Changes;
  /** The author; 0: the server itself, or an anonymous caller. */
  userid: number;
  /**
   * The viewer whose permissions decide which pictures and files texts may show; null: the site itself, which may show
   * all.
   */
  writer: Viewer | null;
}

/** Runs inside the transaction of every write, after its work and before its feed rows. */
export type WriteHook = (write: Written) => Promise<void>;

/** The result of the work of a write. */
export interface Work<T> {
  value: T;
  /** null: nothing was done, and no hooks run (the replay of an earlier call). */
  by: Author | null;
  /** Runs as the last statement of the transaction. */
  last?: () => Promise<void>;
}

/** The author of a write. */
export interface Author extends Pick<Written, 'userid' | 'writer'> {
  /** Idempotency-Key of the call; the feed shows it only to its own user. */
  key: string | null;
  /** The account to which the key belongs (`senderOf`). Default: the author. */
  sender?: number;
}

/**
 * The only way to write, for requests and jobs. One transaction contains the work, `services.writeHooks` in their
 * order, documents and feed rows, `last`, and the row of the audit log. After the commit, listeners
 * of `services.bus` are notified. Returns the value of the work. If any part throws, nothing is
 * written.
 */
export async function performWrite<T>(
  services: Services,
  origin: Origin,
  work: (tx: Tx, note: AuditNote, changes: Changes) => Promise<Work<T>>,
): Promise<T> {
  const { value, by } = await services.storage.write(origin, async (tx, note) => {
    const changes = new Changes();
    const done = await work(tx, note, changes);
    if (done.by === null) return done;
    const { key, userid, writer, sender = userid } = done.by;
    for (const hook of services.writeHooks) await hook({ tx, services, changes, userid, writer });
    await changes.flush(tx, { key, userid: sender || null }, () => nonce(services));
    await done.last?.();
    return done;
  });
  if (by !== null) services.bus.committed();
  return value;
}

function nonce(services: Services): string {
  return Buffer.from(services.randomBytes(6)).toString('hex');
}
