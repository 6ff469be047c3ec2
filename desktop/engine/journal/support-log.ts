import { z } from 'zod';

import type { Journal, JournalRecord } from './journal.ts';
import type { Environment } from '../platform/ports.ts';

/** What is noted for the support: ids, codes and numbers, never what people wrote, and no secrets. */
export interface LogEvent {
  /** The home that it is about; null: the device. */
  home: string | null;
  what: string;
  facts: Record<string, string | number | boolean | null>;
}

const noted = z.object({
  at: z.number(),
  home: z.string().nullable(),
  what: z.string(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type NotedEvent = z.infer<typeof noted>;
const ofHome = z.object({ home: z.string() });

/** Where the log lies in the journal's `meta`. */
export const logPrefix = 'log/';

/** How long an event is kept, ms, and how many records of how many events there are at most. */
const life = 30 * 24 * 60 * 60_000;
const mostRecords = 100;
const eventsPerRecord = 50;
/** Events wait so long for others before they are written, ms: an fsync for each would slow the work down. */
const writeAfter = 5000;
/** A burst of the same cannot push everything else out. */
const mostPerMinute = 60;

/** What happened on this device in the last 30 days, at most 5,000 events, in the journal's `meta`. */
export class SupportLog {
  readonly #journal: Journal;
  readonly #environment: Pick<Environment, 'now' | 'uuid' | 'setTimer'>;
  #record: { id: string; events: NotedEvent[] } | null = null;
  #isDirty = false;
  #writing: Promise<void> = Promise.resolve();
  #cancel: (() => void) | null = null;
  #minute = { began: 0, count: 0 };
  /** Ids of the records of this run that are kept, oldest first. */
  readonly #begun: string[] = [];

  constructor(journal: Journal, environment: Pick<Environment, 'now' | 'uuid' | 'setTimer'>) {
    this.#journal = journal;
    this.#environment = environment;
  }

  note(event: LogEvent): void {
    const at = Math.round(this.#environment.now());
    if (at - this.#minute.began >= 60_000) this.#minute = { began: at, count: 0 };
    this.#minute.count += 1;
    if (this.#minute.count > mostPerMinute) return;
    if (this.#record === null || this.#record.events.length >= eventsPerRecord) {
      void this.flush();
      this.#record = { id: `${logPrefix}${this.#environment.uuid()}`, events: [] };
      this.#begun.push(this.#record.id);
      if (this.#begun.length > mostRecords) this.#forget(this.#begun.splice(0, 1));
    }
    this.#record.events.push({ at, ...event });
    this.#isDirty = true;
    this.#cancel ??= this.#environment.setTimer(() => void this.flush(), writeAfter);
  }

  /** Ends the present record, so that nothing of a home that is left is written again. */
  async turn(): Promise<void> {
    const written = this.flush();
    this.#record = null;
    await written;
  }

  /** Resolves when what was noted is written, or could not be: the log stops no work. */
  flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    const record = this.#record;
    if (record === null || !this.#isDirty) return this.#writing;
    this.#isDirty = false;
    const value = [...record.events];
    this.#writing = this.#writing
      .then(() => this.#journal.append([{ op: 'put', collection: 'meta', id: record.id, value }]))
      .catch(() => undefined);
    return this.#writing;
  }

  /** Forgets records after what is on its way is written, or could not be. */
  #forget(ids: string[]): void {
    this.#writing = this.#writing.then(() => this.#journal.forget('meta', ids)).catch(() => undefined);
  }

  /** Events of the device and of one home, oldest first, of the last 30 days. */
  async read(home: string | null): Promise<NotedEvent[]> {
    await this.flush();
    const records = await this.#records();
    const oldest = this.#environment.now() - life;
    return records
      .flatMap(({ events }) => events)
      .filter((event) => event.at >= oldest && (event.home === null || event.home === home))
      .toSorted((a, b) => a.at - b.at);
  }

  /** Forgets what is older than 30 days, and the oldest of too many records. */
  async prune(): Promise<void> {
    const now = this.#environment.now();
    const records = (await this.#records()).toSorted((a, b) => lastOf(b) - lastOf(a));
    const old = records.filter((record, index) => index >= mostRecords || now - lastOf(record) > life);
    if (old.length > 0)
      await this.#journal.forget(
        'meta',
        old.map(({ id }) => id),
      );
  }

  async #records(): Promise<{ id: string; events: NotedEvent[] }[]> {
    const { values } = await this.#journal.changes('meta', 0);
    return [...values].flatMap(([id, value]) =>
      id.startsWith(logPrefix)
        ? [{ id, events: eventsIn(value).flatMap((event) => noted.safeParse(event).data ?? []) }]
        : [],
    );
  }
}

/** What is to be changed in a record of `meta` so that it holds no events of a home. */
export function withoutEvents(id: string, value: unknown, home: string): JournalRecord[] {
  const events = id.startsWith(logPrefix) ? eventsIn(value) : [];
  const rest = events.filter((event) => ofHome.safeParse(event).data?.home !== home);
  if (rest.length === events.length) return [];
  if (rest.length === 0) return [{ op: 'delete', collection: 'meta', id }];
  return [{ op: 'put', collection: 'meta', id, value: rest }];
}

/** Each is read by itself: one of another version of the app hides no other. */
function eventsIn(value: unknown): unknown[] {
  return z.array(z.unknown()).safeParse(value).data ?? [];
}

function lastOf({ events }: { events: readonly NotedEvent[] }): number {
  return events.at(-1)?.at ?? 0;
}
