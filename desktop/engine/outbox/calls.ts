import type { SyncedCollection } from '#shared/sync/wire.ts';

import type { CallState, OutboxCall } from '../platform/ports.ts';
import { idsCreatedBy } from '../sync/temporary-ids.ts';

/** The calls of one person, oldest first, as they are at this moment: they change under whoever holds this. */
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
  /** Calls whose target is named by this very id. */
  about(collection: SyncedCollection, id: string): OutboxCall[];
  /** The call that is not done and makes a temporary id (without `tmp:`) real. */
  makerOf(id: string): OutboxCall | undefined;
  /** Calls that name a temporary id (without `tmp:`) that another call makes. */
  needing(id: string): OutboxCall[];
}

/** Calls, and the ways to find them: each change costs the same however many there are. */
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

  /** The calls as they are now, for those who keep them. */
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

  /** Takes the place of a call of the same id, lane and order: moving all that follow would cost as much as there are. */
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

  /** Enters a call wherever its place among the others does not matter. */
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

/** Calls by a word that several may share. */
class Groups {
  readonly #calls = new Map<string, Set<OutboxCall>>();

  read(word: string): OutboxCall[] {
    const calls = this.#calls.get(word);
    return calls === undefined ? [] : [...calls].toSorted(byOrder);
  }

  count(word: string): number {
    return this.#calls.get(word)?.size ?? 0;
  }

  add(word: string, call: OutboxCall): void {
    const calls = this.#calls.get(word);
    if (calls === undefined) this.#calls.set(word, new Set([call]));
    else calls.add(call);
  }

  remove(word: string, call: OutboxCall): void {
    const calls = this.#calls.get(word);
    if (calls?.delete(call) === true && calls.size === 0) this.#calls.delete(word);
  }
}

function targetKey({ collection, id }: OutboxCall['target']): string {
  return `${collection}/${id}`;
}

/** By the place they were given, not by a clock that may be set back; a merged call keeps its place. */
export function byOrder(a: OutboxCall, b: OutboxCall): number {
  return a.order - b.order;
}

/** Where in `calls` the first one is for which `isBefore` no longer holds. */
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
