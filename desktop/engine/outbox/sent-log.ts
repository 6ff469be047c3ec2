import type { Journal, JournalRecord } from '../journal/journal.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { callRecord } from './about-call.ts';
import { readRecord } from './at-rest.ts';

/** How long sent calls are remembered, so that they can be offered to a restored server, ms (OUTBOX-14). */
export const sentLife = 90 * 24 * 60 * 60_000;

/** How long sent calls are listed for the person, ms, and how many. */
const listedLife = 30 * 24 * 60 * 60_000;
const listedCalls = 300;

/** Bytes of uploaded files that are stored to be offered again. */
const keptFileBytes = 256 * 1024 * 1024;

/** The sent calls that are listed for a person: those of the last 30 days, latest first, each once. */
export function listed(calls: readonly OutboxCall[], now: number): OutboxCall[] {
  const latest = new Map(calls.map((call) => [call.id, call]));
  return [...latest.values()]
    .filter(({ doneAt }) => now - (doneAt ?? now) <= listedLife)
    .toSorted((a, b) => (b.doneAt ?? 0) - (a.doneAt ?? 0))
    .slice(0, listedCalls);
}

/**
 * The log of one person's sent calls, in the journal's `meta`. An entry is the whole call: to offer it again needs `record`,
 * and for saves the base, `before` and `content` of the context. A call without its base is offered all the same; if the
 * server answers 409, it is parked with its text.
 */
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

  /** Journal entries that remove calls from the log. */
  forgotten(ids: readonly string[]): JournalRecord[] {
    return ids.map((id) => ({ op: 'delete', collection: 'meta', id: this.#prefix + id }));
  }

  /** The calls in the order in which they were sent, which is the order of the journal. */
  async read(): Promise<OutboxCall[]> {
    const { values } = await this.#journal.changes('meta', 0);
    return this.callsIn(values);
  }

  /** The same from values of the journal's `meta`. */
  callsIn(meta: ReadonlyMap<string, unknown>): OutboxCall[] {
    return [...meta]
      .filter(([id]) => id.startsWith(this.#prefix))
      .flatMap(([, record]) => readRecord(record) ?? []);
  }

  /** Replaces entries by the id of their call; null removes one. */
  async rewrite(changes: ReadonlyMap<string, OutboxCall | null>): Promise<void> {
    await this.#journal.append(
      [...changes].map(([id, call]) =>
        call === null ? { op: 'delete', collection: 'meta', id: this.#prefix + id } : this.record(call),
      ),
    );
  }

  /** Removes calls older than `sentLife`, and the bytes of uploads beyond `keptFileBytes`. */
  async prune(now: number): Promise<void> {
    const calls = await this.read();
    // Age is measured from the newest call if the clock is ahead of it.
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
