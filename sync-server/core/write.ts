import type { AuditNote, Origin } from '#server/storage/audit/origin.ts';
import type { Services } from './services.ts';
import type { Viewer } from './viewer.ts';
import { Changes } from '#server/storage/feed.ts';
import type { Tx } from '#server/storage/tables.ts';

/** What a write changed and who did it, before its feed rows are written. */
export interface Written {
  tx: Tx;
  services: Services;
  changes: Changes;
  /** Who did it; 0: the server itself, or somebody who is not signed in. */
  userid: number;
  /** Whose right to show pictures and files counts for what texts name; null: the site itself, which may show all. */
  writer: Viewer | null;
}

/** Runs inside the transaction of every write, after its work and before its feed rows. */
export type WriteHook = (write: Written) => Promise<void>;

/** What the work of a write came to. */
export interface Work<T> {
  value: T;
  /** null: nothing was done, and nothing follows (the replay of an earlier call). */
  by: Author | null;
  /** Runs as the last statement of the transaction. */
  last?: () => Promise<void>;
}

/** Who did the work of a write. */
export interface Author extends Pick<Written, 'userid' | 'writer'> {
  /** Idempotency-Key of the call that did it; only its own user is told. */
  key: string | null;
}

/**
 * The one way to write, for requests and jobs alike. In one transaction: the work, `services.writeHooks` in their order,
 * documents and feed rows, `last`, the row of the audit log. After the commit: the document cache, and whoever waits for
 * news of the feed. Returns the value of the work; throws what any of it throws, and then nothing was written.
 */
export async function performWrite<T>(
  services: Services,
  origin: Origin,
  work: (tx: Tx, note: AuditNote, changes: Changes) => Promise<Work<T>>,
): Promise<T> {
  const changes = new Changes();
  const { value, by } = await services.storage.write(origin, async (tx, note) => {
    const done = await work(tx, note, changes);
    if (done.by === null) return done;
    const { key, userid, writer } = done.by;
    for (const hook of services.writeHooks) await hook({ tx, services, changes, userid, writer });
    await changes.flush(tx, { key, userid: userid || null }, () => nonce(services));
    await done.last?.();
    return done;
  });
  changes.committed(services.storage.reader);
  if (by !== null) services.bus.committed();
  return value;
}

function nonce(services: Services): string {
  return Buffer.from(services.randomBytes(6)).toString('hex');
}
