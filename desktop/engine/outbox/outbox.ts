import { BehaviorSubject, type Observable } from 'rxjs';

import { must } from '#shared/must.ts';
import { temporaryId } from '#shared/sync/wire.ts';

import type { Journal, JournalRecord } from '../journal/journal.ts';
import type { Environment, NewCall, Outbox, OutboxCall } from '../ports.ts';
import { coalesce } from './coalesce.ts';
import { idsRecord, parseIds } from './recovered-ids.ts';
import { inheritRevision } from './revisions.ts';
import { listed, SentLog } from './sent-log.ts';
import type { CallStore } from './stored-calls.ts';
import { bare, needsOf } from './temporary-ids.ts';

export interface OutboxWorld {
  environment: Pick<Environment, 'now' | 'uuid'>;
  journal: Journal;
  stored: CallStore;
  /** Names the person's database; calls of other people and servers lie in the same journal. */
  home: string;
  userid: number;
  /** Whether other tabs write to the same outbox. */
  multiInstance: boolean;
  lock: <T>(name: string, run: () => Promise<T>) => Promise<T>;
  /** Told when the database could not take a copy; the journal has the call. */
  noteTrouble: (error: unknown) => void;
}

/** What one step changes: calls stored, calls dropped; `sent` of the dropped ones are remembered as sent. */
export interface OutboxChange {
  put?: OutboxCall[];
  drop?: string[];
  sent?: OutboxCall[];
  /** Ids of calls that are no longer remembered as sent. */
  unsent?: string[];
}

interface JournalledCall {
  home: string;
  call: OutboxCall;
}

/** The calls of one person on this device. Journal first: a call exists when its append was fsynced (O8). */
export class JournaledOutbox implements Outbox {
  readonly #world: OutboxWorld;
  readonly #log: SentLog;
  readonly #state = new BehaviorSubject<readonly OutboxCall[]>([]);
  readonly #sent: BehaviorSubject<readonly OutboxCall[]>;
  readonly #realIds = new Map<string, string>();
  readonly #stopWatching: () => void;
  /** What the database could not take so far: it is tried again, and counts before what the database says. */
  readonly #owed = { put: new Map<string, OutboxCall>(), drop: new Set<string>() };
  #isStale = false;
  /** The journal had lost calls that the database gave back. */
  readonly hasRecovered: boolean;

  private constructor(
    world: OutboxWorld,
    log: SentLog,
    calls: OutboxCall[],
    sent: OutboxCall[],
    hasRecovered: boolean,
  ) {
    this.hasRecovered = hasRecovered;
    this.#world = world;
    this.#log = log;
    for (const call of [...sent, ...calls]) this.#learnIds(call);
    this.#state.next(inOrder(calls));
    this.#sent = new BehaviorSubject<readonly OutboxCall[]>(listed(sent, world.environment.now()));
    this.#stopWatching = world.stored.watchOthers((removed) => this.#follow(removed));
  }

  /** Opens the outbox and brings journal and database together: what one of them lost, the other gives back (O9). */
  static async open(world: OutboxWorld): Promise<JournaledOutbox> {
    return world.lock(lockName(world), async () => {
      const { outbox, meta } = await world.journal.entries();
      const journalled = [...outbox.values()]
        .map((value) => value as JournalledCall)
        .filter(({ home }) => home === world.home);
      const known = new Map(journalled.map(({ call }) => [call.id, call]));
      const stored = await world.stored.read().catch((error: unknown) => {
        world.noteTrouble(error);
        return [];
      });
      const lostByJournal = stored.filter(({ id }) => !known.has(id));
      if (lostByJournal.length > 0)
        await world.journal.append(lostByJournal.map((call) => putRecord(world, call)));
      const calls = [...known.values(), ...lostByJournal].filter(({ userid }) => userid === world.userid);
      await world.stored.write(calls, []).catch(world.noteTrouble);
      const log = new SentLog(world.journal, world.home);
      const opened = new JournaledOutbox(world, log, calls, await log.read(), lostByJournal.length > 0);
      opened.#learn(parseIds(meta.get(idsRecord(world.home))));
      return opened;
    });
  }

  get calls(): Observable<readonly OutboxCall[]> {
    return this.#state;
  }

  get sent(): Observable<readonly OutboxCall[]> {
    return this.#sent;
  }

  get log(): SentLog {
    return this.#log;
  }

  present(): readonly OutboxCall[] {
    return this.#state.value;
  }

  get(id: string): OutboxCall | undefined {
    return this.#state.value.find((call) => call.id === id);
  }

  realId(temporary: string): string | undefined {
    // A step that is put back keeps its number as its key: "28" may be learnt, and is no id of guide 28.
    return temporary.startsWith(temporaryId('')) ? this.#realIds.get(bare(temporary)) : undefined;
  }

  async add(calls: NewCall[]): Promise<OutboxCall[]> {
    const results: OutboxCall[] = [];
    await this.update((present) => {
      let next = [...present];
      const put = new Map<string, OutboxCall>();
      const dropped = new Set<string>();
      for (const call of calls) {
        const { put: stored, drop, result } = coalesce(next, this.#whole(call, next));
        for (const one of stored) put.set(one.id, one);
        for (const id of drop) dropped.add(id);
        next = inOrder(merged(next, stored, drop));
        results.push(result);
      }
      const known = new Set(present.map(({ id }) => id));
      for (const id of dropped) put.delete(id);
      return { put: [...put.values()], drop: [...dropped].filter((id) => known.has(id)) };
    });
    return results;
  }

  async change(id: string, change: Parameters<Outbox['change']>[1]): Promise<void> {
    await this.update((present) => {
      const call = must(
        present.find((one) => one.id === id),
        `call ${id}`,
      );
      const isRemark = Object.keys(change).every((name) => name === 'context');
      if (call.state === 'done' || (call.state === 'sending' && !isRemark))
        throw new Error(`The call ${id} is ${call.state}`);
      const next: OutboxCall = { ...call, ...change };
      if (next.state === 'queued' && !isRemark) {
        next.refusal = null;
        next.nextTryAt = change.nextTryAt ?? 0;
      }
      if (next.id !== id) next.tries = 0;
      next.needs = needsOf(next);
      return { put: [next], drop: next.id === id ? [] : [id] };
    });
  }

  async remove(id: string): Promise<void> {
    const fileId = this.get(id)?.fileId ?? null;
    await this.update((present) => {
      const call = present.find((one) => one.id === id);
      if (call === undefined) return {};
      if (call.state === 'sending') throw new Error(`The call ${id} is being sent`);
      return { put: inheritRevision(present, call), drop: [id] };
    });
    if (fileId !== null) await this.#world.journal.deleteFile(fileId);
  }

  /** One step, alone among all tabs: decides on the calls as they are, journals, stores, shows. */
  async update(decide: (present: readonly OutboxCall[]) => OutboxChange): Promise<void> {
    await this.#world.lock(lockName(this.#world), async () => {
      if (this.#world.multiInstance) await this.#readStored();
      const { put = [], drop = [], sent = [], unsent = [] } = decide(this.#state.value);
      if (put.length === 0 && drop.length === 0 && unsent.length === 0) return;
      const { journal } = this.#world;
      const puts = [...put.map((call) => putRecord(this.#world, call)), ...this.#log.forgotten(unsent)];
      if (puts.length > 0) await journal.append(puts);
      await this.#store(put, drop);
      const deletes: JournalRecord[] = drop.map((id) => ({ op: 'delete', collection: 'outbox', id }));
      if (drop.length > 0) await journal.append([...deletes, ...sent.map((call) => this.#log.record(call))]);
      if (unsent.length > 0) this.#sent.next(this.#sent.value.filter(({ id }) => !unsent.includes(id)));
      this.#show(put, drop, sent);
    });
  }

  /** Remembers calls as sent, with the ids that the server gives to what they created. */
  async learn(sent: OutboxCall[]): Promise<void> {
    if (sent.length > 0) await this.#world.journal.append(sent.map((call) => this.#log.record(call)));
    for (const call of sent) this.#learnIds(call);
  }

  /** The server has another history: what it made of these temporary ids (with `tmp:`) is something else now, or gone. */
  forgetIds(temporaries: readonly string[]): void {
    for (const temporary of temporaries) this.#realIds.delete(bare(temporary));
    this.#state.next([...this.#state.value]);
  }

  /** Remembers what temporary ids (with `tmp:`) have become, where no sent call tells it any more. */
  async learnIds(created: Record<string, string>): Promise<void> {
    if (Object.keys(created).length === 0) return;
    const { journal } = this.#world;
    const { meta } = await journal.entries();
    const value = { ...parseIds(meta.get(idsRecord(this.#world.home))), ...created };
    await journal.append([{ op: 'put', collection: 'meta', id: idsRecord(this.#world.home), value }]);
    this.#learn(created);
    this.#state.next([...this.#state.value]);
  }

  close(): void {
    this.#stopWatching();
    this.#state.complete();
    this.#sent.complete();
  }

  async #store(put: readonly OutboxCall[], drop: readonly string[]): Promise<void> {
    const owed = this.#owed;
    for (const call of put) {
      owed.put.set(call.id, call);
      owed.drop.delete(call.id);
    }
    for (const id of drop) {
      owed.drop.add(id);
      owed.put.delete(id);
    }
    try {
      await this.#world.stored.write([...owed.put.values()], [...owed.drop]);
      owed.put.clear();
      owed.drop.clear();
    } catch (error) {
      this.#world.noteTrouble(error);
    }
  }

  /** Another tab wrote. What is stored counts: its words may arrive after something newer was read. */
  #follow(removed: readonly OutboxCall[]): void {
    this.#show(
      [],
      [],
      removed.filter(({ state }) => state === 'done'),
    );
    if (this.#isStale) return;
    this.#isStale = true;
    const read = async (): Promise<void> => {
      this.#isStale = false;
      await this.#readStored();
    };
    this.#world.lock(lockName(this.#world), read).catch(this.#world.noteTrouble);
  }

  async #readStored(): Promise<void> {
    const stored = await this.#world.stored.read().catch(() => null);
    if (stored === null) return;
    const whole = merged(stored, [...this.#owed.put.values()], [...this.#owed.drop]);
    const mine = whole.filter(({ userid }) => userid === this.#world.userid);
    const ids = new Set(mine.map(({ id }) => id));
    this.#show(
      mine,
      this.#state.value.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
    );
  }

  #show(put: readonly OutboxCall[], drop: readonly string[], sent: readonly OutboxCall[] = []): void {
    for (const call of [...put, ...sent]) this.#learnIds(call);
    if (sent.length > 0)
      this.#sent.next(listed([...this.#sent.value, ...sent], this.#world.environment.now()));
    this.#state.next(inOrder(merged(this.#state.value, put, drop)));
  }

  #learnIds(call: OutboxCall): void {
    this.#learn(call.created);
  }

  #learn(created: Record<string, string>): void {
    for (const [temporary, real] of Object.entries(created)) this.#realIds.set(bare(temporary), real);
  }

  #whole(call: NewCall, present: readonly OutboxCall[]): OutboxCall {
    const { environment, userid } = this.#world;
    const whole: OutboxCall = {
      query: {},
      body: undefined,
      fileId: null,
      context: null,
      ...call,
      id: call.id ?? environment.uuid(),
      userid,
      needs: [],
      at: environment.now(),
      order: (present.at(-1)?.order ?? 0) + 1,
      state: 'queued',
      tries: 0,
      nextTryAt: 0,
      created: {},
      doneSeq: null,
      doneAt: null,
      refusal: null,
    };
    return { ...whole, needs: needsOf(whole) };
  }
}

function lockName({ home }: OutboxWorld): string {
  return `outbox/${home}`;
}

function putRecord({ home }: OutboxWorld, call: OutboxCall): JournalRecord {
  return { op: 'put', collection: 'outbox', id: call.id, value: { home, call } satisfies JournalledCall };
}

function merged(
  calls: readonly OutboxCall[],
  put: readonly OutboxCall[],
  drop: readonly string[],
): OutboxCall[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  for (const call of put) byId.set(call.id, call);
  for (const id of drop) byId.delete(id);
  return [...byId.values()];
}

/** By the place they were given, not by a clock that may be set back; a merged call keeps its place. */
function inOrder(calls: OutboxCall[]): OutboxCall[] {
  return calls.toSorted((a, b) => a.order - b.order);
}
