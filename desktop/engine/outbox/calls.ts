import type { SyncedCollection } from '#shared/sync/wire.ts';

import type { CallState, OutboxCall } from '../platform/ports.ts';
import { idsCreatedBy } from '../sync/temporary-ids.ts';

/** The calls of one person, oldest first. This is a live view: it changes with the outbox. */
export interface Calls extends Iterable<OutboxCall> {
  readonly size: number;
  readonly last: OutboxCall | undefined;
  get(id: string): OutboxCall | undefined;
  inLane(lane: string): readonly OutboxCall[];
  inState(state: CallState): OutboxCall[];
  /** How many calls are in a state. */
  count(state: CallState): number;
  /** Uploads, whatever their state. */
  withFile(): OutboxCall[];
  /** Calls whose target has exactly this id. */
  about(collection: SyncedCollection, id: string): OutboxCall[];
  /** The call that creates a temporary id (without `tmp:`) and is not done. */
  makerOf(id: string): OutboxCall | undefined;
  /** Calls that name a temporary id (without `tmp:`) that another call creates. */
  needing(id: string): OutboxCall[];
}

/** Whether a call is of the home of an account: the home of a station has those of its people too. */
export function isOfAccount({ userid, recorded }: OutboxCall, account: number): boolean {
  return userid === account || recorded !== undefined;
}

/** How many calls wait to be sent, or for a decision, and since when (ms since 1970); null: none. */
export function waitingIn(calls: Calls): { count: number; oldestAt: number } | null {
  for (const { state, at } of calls)
    if (state !== 'done') return { count: calls.size - calls.count('done'), oldestAt: at };
  return null;
}

/** Calls with indexes. The cost of a change does not depend on the number of calls (OUTBOX-40). */
export class CallIndex implements Calls {
  readonly #ordered: OutboxCall[] = [];
  readonly #byId = new Map<string, OutboxCall>();
  readonly #byLane = new Map<string, OutboxCall[]>();
  readonly #byState = new Groups();
  readonly #byTarget = new Groups();
  readonly #byNeed = new Groups();
  readonly #byMade = new Groups();
  readonly #withFile = new Set<OutboxCall>();
  #copy: readonly OutboxCall[] | null = null;

  constructor(calls: Iterable<OutboxCall> = []) {
    this.apply([...calls].toSorted(byOrder), []);
  }

  get size(): number {
    return this.#ordered.length;
  }

  get last(): OutboxCall | undefined {
    return this.#ordered.at(-1);
  }

  get(id: string): OutboxCall | undefined {
    return this.#byId.get(id);
  }

  inLane(lane: string): readonly OutboxCall[] {
    return this.#byLane.get(lane) ?? [];
  }

  inState(state: CallState): OutboxCall[] {
    return this.#byState.read(state);
  }

  count(state: CallState): number {
    return this.#byState.count(state);
  }

  withFile(): OutboxCall[] {
    return [...this.#withFile].toSorted(byOrder);
  }

  about(collection: SyncedCollection, id: string): OutboxCall[] {
    return this.#byTarget.read(targetKey({ collection, id }));
  }

  makerOf(id: string): OutboxCall | undefined {
    return this.#byMade.read(id).findLast(({ state }) => state !== 'done');
  }

  needing(id: string): OutboxCall[] {
    return this.#byNeed.read(id);
  }

  [Symbol.iterator](): IterableIterator<OutboxCall> {
    return this.#ordered.values();
  }

  /** The calls as they are now: a list that later changes do not affect. */
  copy(): readonly OutboxCall[] {
    this.#copy ??= this.#ordered.slice();
    return this.#copy;
  }

  /** Stores `put`, replacing calls of the same id, and drops the calls of these ids. */
  apply(put: readonly OutboxCall[], drop: readonly string[]): void {
    this.#copy = null;
    for (const id of drop) this.#remove(id);
    for (const call of put) {
      const before = this.#byId.get(call.id);
      if (before !== undefined && before.order === call.order && before.lane === call.lane) {
        this.#replace(before, call);
        continue;
      }
      this.#remove(call.id);
      this.#add(call);
    }
  }

  /** Replaces a call of the same id, lane and order in place, without moving the calls behind it. */
  #replace(before: OutboxCall, call: OutboxCall): void {
    this.#ordered[placeOf(this.#ordered, before)] = call;
    const lane = this.#byLane.get(call.lane) ?? [];
    lane[placeOf(lane, before)] = call;
    this.#unfile(before);
    this.#file(call);
  }

  #add(call: OutboxCall): void {
    insert(this.#ordered, call);
    const lane = this.#byLane.get(call.lane);
    if (lane === undefined) this.#byLane.set(call.lane, [call]);
    else insert(lane, call);
    this.#file(call);
  }

  #remove(id: string): void {
    const call = this.#byId.get(id);
    if (call === undefined) return;
    remove(this.#ordered, call);
    const lane = this.#byLane.get(call.lane) ?? [];
    remove(lane, call);
    if (lane.length === 0) this.#byLane.delete(call.lane);
    this.#unfile(call);
  }

  /** Adds a call to the indexes that have no order. */
  #file(call: OutboxCall): void {
    this.#byId.set(call.id, call);
    this.#byState.add(call.state, call);
    this.#byTarget.add(targetKey(call.target), call);
    for (const id of call.needs) this.#byNeed.add(id, call);
    for (const id of idsCreatedBy(call)) this.#byMade.add(id, call);
    if (call.fileId !== null) this.#withFile.add(call);
  }

  #unfile(call: OutboxCall): void {
    this.#byId.delete(call.id);
    this.#byState.remove(call.state, call);
    this.#byTarget.remove(targetKey(call.target), call);
    for (const needed of call.needs) this.#byNeed.remove(needed, call);
    for (const made of idsCreatedBy(call)) this.#byMade.remove(made, call);
    this.#withFile.delete(call);
  }
}

/** Calls grouped by a string. */
class Groups {
  readonly #calls = new Map<string, Set<OutboxCall>>();

  read(key: string): OutboxCall[] {
    const calls = this.#calls.get(key);
    return calls === undefined ? [] : [...calls].toSorted(byOrder);
  }

  count(key: string): number {
    return this.#calls.get(key)?.size ?? 0;
  }

  add(key: string, call: OutboxCall): void {
    const calls = this.#calls.get(key);
    if (calls === undefined) this.#calls.set(key, new Set([call]));
    else calls.add(call);
  }

  remove(key: string, call: OutboxCall): void {
    const calls = this.#calls.get(key);
    if (calls?.delete(call) === true && calls.size === 0) this.#calls.delete(key);
  }
}

function targetKey({ collection, id }: OutboxCall['target']): string {
  return `${collection}/${id}`;
}

/** Compares calls by their order number, not by time, since clocks can be set back. A merged call keeps its number. */
export function byOrder(a: OutboxCall, b: OutboxCall): number {
  return a.order - b.order;
}

/** Index of the first call for which `isBefore` is false (binary search). */
function placeWhere(calls: readonly OutboxCall[], isBefore: (call: OutboxCall) => boolean): number {
  let [from, to] = [0, calls.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const call = calls[middle];
    if (call !== undefined && isBefore(call)) from = middle + 1;
    else to = middle;
  }
  return from;
}

function insert(calls: OutboxCall[], call: OutboxCall): void {
  const last = calls.at(-1);
  if (last === undefined || last.order <= call.order) calls.push(call);
  else
    calls.splice(
      placeWhere(calls, ({ order }) => order <= call.order),
      0,
      call,
    );
}

function placeOf(calls: readonly OutboxCall[], call: OutboxCall): number {
  return calls.indexOf(
    call,
    placeWhere(calls, ({ order }) => order < call.order),
  );
}

function remove(calls: OutboxCall[], call: OutboxCall): void {
  const place = placeOf(calls, call);
  if (place === 0) calls.shift();
  else calls.splice(place, 1);
}
