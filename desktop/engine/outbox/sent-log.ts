import type { Journal, JournalRecord } from '../journal/journal.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { callRecord } from './about-call.ts';
import { readRecord } from './at-rest.ts';

/** How long a call that the server has is remembered, so that a restored server can be told again (OUTBOX-14). */
export const sentLife = 90 * 24 * 60 * 60_000;

/** How long what the server took is listed for the person, and how much of it. */
const listedLife = 30 * 24 * 60 * 60_000;
const listedCalls = 300;

/** Bytes of uploaded files that are kept to be offered again. */
const keptFileBytes = 256 * 1024 * 1024;

/** What a person is shown of `calls` that the server has: the last ones of a month, the latest first, each once. */
export function listed(calls: readonly OutboxCall[], now: number): OutboxCall[] {
  const latest = new Map(calls.map((call) => [call.id, call]));
  return [...latest.values()]
    .filter(({ doneAt }) => now - (doneAt ?? now) <= listedLife)
    .toSorted((a, b) => (b.doneAt ?? 0) - (a.doneAt ?? 0))
    .slice(0, listedCalls);
}

/** The calls of one person that the server has, in the journal's `meta`. */
export class SentLog {
  readonly #journal: Journal;
  readonly #home: string;
  readonly #prefix: string;

  constructor(journal: Journal, home: string) {
    this.#journal = journal;
    this.#home = home;
    this.#prefix = `sent/${home}/`;
  }

  record(call: OutboxCall): JournalRecord {
    const value = callRecord(call, this.#home);
    return { op: 'put', collection: 'meta', id: this.#prefix + call.id, value };
  }

  /** What takes calls out of the log. */
  forgotten(ids: readonly string[]): JournalRecord[] {
    return ids.map((id) => ({ op: 'delete', collection: 'meta', id: this.#prefix + id }));
  }

  /** In the order they were sent, which is the order the journal keeps. */
  async read(): Promise<OutboxCall[]> {
    const { values } = await this.#journal.changes('meta', 0);
    return this.callsIn(values);
  }

  /** The same, of values of the journal's `meta`. */
  callsIn(meta: ReadonlyMap<string, unknown>): OutboxCall[] {
    return [...meta]
      .filter(([id]) => id.startsWith(this.#prefix))
      .flatMap(([, record]) => readRecord(record) ?? []);
  }

  /** Replaces entries by the id of their call; null: forgets one. */
  async rewrite(changes: ReadonlyMap<string, OutboxCall | null>): Promise<void> {
    await this.#journal.append(
      [...changes].map(([id, call]) =>
        call === null ? { op: 'delete', collection: 'meta', id: this.#prefix + id } : this.record(call),
      ),
    );
  }

  /** Forgets what is older than `sentLife`, and the bytes of uploads that no longer fit. */
  async prune(now: number): Promise<void> {
    const calls = await this.read();
    // A clock that runs ahead makes nothing older than the newest call says.
    const newest = Math.min(now, Math.max(...calls.map(({ doneAt }) => doneAt ?? now)));
    const isOld = ({ doneAt }: OutboxCall): boolean => newest - (doneAt ?? newest) > sentLife;
    await this.#journal.forget(
      'meta',
      calls.filter(isOld).map(({ id }) => this.#prefix + id),
    );
    const sizes = new Map((await this.#journal.listFiles()).map(({ id, size }) => [id, size]));
    let kept = 0;
    for (const call of calls.toReversed()) {
      if (call.fileId === null || !sizes.has(call.fileId)) continue;
      kept += sizes.get(call.fileId) ?? 0;
      if (isOld(call) || kept > keptFileBytes) await this.#journal.deleteFile(call.fileId);
    }
  }
}
