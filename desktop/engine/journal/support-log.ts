import { z } from 'zod';

import type { Journal, JournalRecord } from './journal.ts';
import type { Environment } from '../platform/ports.ts';

/** An event for support: ids, codes and numbers. Never texts that people wrote, and no secrets. */
export interface LogEvent {
  /** The home it is about; null: the device. */
  home: string | null;
  what: string;
  facts: Record<string, string | number | boolean | null>;
}

const notedEvent = z.object({
  at: z.number(),
  home: z.string().nullable(),
  what: z.string(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type NotedEvent = z.infer<typeof notedEvent>;
const ofHome = z.object({ home: z.string() });

/** Prefix of the log's records in the journal's `meta`. */
export const logPrefix = 'log/';

/** Age after which an event is removed, ms. */
const life = 30 * 24 * 60 * 60_000;
/** Limits of the number of records, and of events in one. */
const mostRecords = 100;
const eventsPerRecord = 50;
/** Events are collected for this time before they are written, ms: an fsync for each would slow other work down. */
const writeAfter = 5000;
/** A limit, so that a burst of events does not replace all others. */
const mostPerMinute = 60;

/** The events of this device in the last 30 days, at most 5,000, in the journal's `meta`. */
export class SupportLog {
  readonly #journal: Journal;
  readonly #environment: Pick<Environment, 'now' | 'uuid' | 'setTimer'>;
  #record: { id: string; events: NotedEvent[] } | null = null;
  #isDirty = false;
  #writing: Promise<void> = Promise.resolve();
  #cancel: (() => void) | null = null;
  #minute = { began: 0, count: 0 };
  /** Ids of the present records of this run, oldest first. */
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

  /** Ends the present record. Events of a home that is left are then not written again with later ones. */
  async turn(): Promise<void> {
    const written = this.flush();
    this.#record = null;
    await written;
  }

  /** Resolves when all events are written, or could not be: a failure of the log stops no other work. */
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

  /** Removes records, after writes that are under way. */
  #forget(ids: string[]): void {
    this.#writing = this.#writing.then(() => this.#journal.forget('meta', ids)).catch(() => undefined);
  }

  /** Events of the device and of one home in the last 30 days, oldest first. */
  async read(home: string | null): Promise<NotedEvent[]> {
    await this.flush();
    const records = await this.#records();
    const oldest = this.#environment.now() - life;
    return records
      .flatMap(({ events }) => events)
      .filter((event) => event.at >= oldest && (event.home === null || event.home === home))
      .toSorted((a, b) => a.at - b.at);
  }

  /** Removes records that are older than 30 days, and the oldest ones beyond `mostRecords`. */
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
        ? [{ id, events: eventsIn(value).flatMap((event) => notedEvent.safeParse(event).data ?? []) }]
        : [],
    );
  }
}

/** The changes after which a record of `meta` holds no events of a home. */
export function withoutEvents(id: string, value: unknown, home: string): JournalRecord[] {
  const events = id.startsWith(logPrefix) ? eventsIn(value) : [];
  const rest = events.filter((event) => ofHome.safeParse(event).data?.home !== home);
  if (rest.length === events.length) return [];
  if (rest.length === 0) return [{ op: 'delete', collection: 'meta', id }];
  return [{ op: 'put', collection: 'meta', id, value: rest }];
}

/** The events of a record, unparsed. Each is parsed by itself, so that one that cannot be read hides no other. */
function eventsIn(value: unknown): unknown[] {
  return z.array(z.unknown()).safeParse(value).data ?? [];
}

function lastOf({ events }: { events: readonly NotedEvent[] }): number {
  return events.at(-1)?.at ?? 0;
}
