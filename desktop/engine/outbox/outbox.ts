import type { Observable } from 'rxjs';

import { Problem } from '#shared/api/problem.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { withoutNul } from '#shared/rules/without-nul.ts';
import type { SyncedCollection } from '#shared/sync/wire.ts';

import type { AppendOptions, JournalRecord } from '../journal/journal.ts';
import { HomeChanged } from '../platform/held.ts';
import type { Environment, NewCall, Outbox, OutboxCall } from '../platform/ports.ts';
import type { HighWaterMark } from '../sync/mirror/high-water-mark.ts';
import { needsOf } from '../sync/temporary-ids.ts';
import type { TroubleNotes } from '../sync/troubles.ts';
import { isUnreadable } from './at-rest.ts';
import { bringTogether, type CallStores, type Found } from './bring-together.ts';
import { outboxLock, overPrefix, putRecord } from './call-records.ts';
import { byOrder, CallIndex, type Calls } from './calls.ts';
import { ChangeNotices } from './change-notices.ts';
import { CopyComparison } from './copy-comparison.ts';
import { joinAll, namedCall, type Naming, wholeCall } from './new-calls.ts';
import { type JournalledChange, OtherTabs } from './other-tabs.ts';
import { OwedCopies } from './owed-copies.ts';
import { RealIds } from './real-ids.ts';
import { idsRecord, parseIds } from './recovered-ids.ts';
import { mustBeRecordable, type Recorder } from './recorded.ts';
import { inheritRevision } from './revisions.ts';
import { listed, SentLog } from './sent-log.ts';

/** `noteTrouble` and `noteSuccess` are about copies that the database cannot take; the journal has the calls. */
export interface OutboxDeps extends CallStores, Naming {
  /** Notified when journal or database cannot be read again after the start. */
  reading: TroubleNotes;
  environment: Pick<Environment, 'now' | 'uuid' | 'monotonic' | 'setTimer'>;
  /** Whether other tabs write to the same outbox. */
  multiInstance: boolean;
  lock: <T>(name: string, run: () => Promise<T>) => Promise<T>;
  /** The highest checkpoint in answers of the server; journalled with the calls. */
  seen?: Pick<HighWaterMark, 'journalWith'>;
}

/** One change of the outbox. Of the dropped calls, those in `sent` are remembered as sent. */
export interface OutboxChange {
  put?: OutboxCall[];
  drop?: string[];
  sent?: OutboxCall[];
  /** Ids of calls that are no longer remembered as sent. */
  unsent?: string[];
}

/** The calls of one person on this device. Journal first: a call exists once its append was fsynced (OUTBOX-8). */
export class JournaledOutbox implements Outbox {
  readonly #deps: OutboxDeps;
  readonly #log: SentLog;
  readonly #present: CallIndex;
  #sent: readonly OutboxCall[];
  readonly #ids = new RealIds();
  readonly #notices: ChangeNotices;
  readonly #otherTabs: OtherTabs;
  readonly #comparison: CopyComparison;
  readonly #copies: OwedCopies<OutboxCall>;
  readonly #stopWatching: () => void;
  #isClosed = false;
  #running: Promise<void> = Promise.resolve();
  /** The journal had lost calls that the database gave back. */
  readonly hasRecovered: boolean;

  private constructor(deps: OutboxDeps, log: SentLog, found: Found) {
    const { environment, home } = deps;
    const sent = log.callsIn(found.meta);
    this.hasRecovered = found.hasRecovered;
    this.#deps = deps;
    this.#log = log;
    for (const call of [...sent, ...found.calls]) this.#ids.learn(call.created);
    this.#ids.learn(found.ids);
    this.#present = new CallIndex(found.calls);
    this.#sent = listed(sent, environment.now());
    this.#notices = new ChangeNotices(environment, () => this.#present.size);
    const inOrder = (run: () => Promise<void>): Promise<void> =>
      this.#alone(async () => {
        if (deps.multiInstance) await this.#otherTabs.catchUp();
        await run();
      });
    this.#copies = new OwedCopies({ ...deps, inOrder, overPrefix: overPrefix(home) }, (put, drop) =>
      deps.stored.write(put, drop),
    );
    this.#copies.knowOver(found.over);
    const lock = (run: () => Promise<void>): Promise<void> => deps.lock(outboxLock(home), run);
    this.#comparison = new CopyComparison({
      ...deps,
      lock,
      get: (id) => this.get(id),
      store: (calls) => this.#store(calls, []),
    });
    this.#otherTabs = new OtherTabs(
      {
        ...deps,
        lock,
        ids: () => this.present().map(({ id }) => id),
        takeOver: (change) => this.#takeOver(change),
      },
      found.seq,
    );
    this.#stopWatching = deps.stored.watchOthers((removed) => {
      this.#show(
        [],
        [],
        removed.filter(({ state }) => state === 'done'),
      );
      this.#otherTabs.follow();
    });
  }

  /** Opens the outbox, after journal and database were brought together (OUTBOX-9). */
  static async open(deps: OutboxDeps): Promise<JournaledOutbox> {
    return deps.lock(outboxLock(deps.home), async () => {
      const found = await bringTogether(deps);
      const { owed, uncompared } = found;
      const opened = new JournaledOutbox(deps, new SentLog(deps.journal, deps.home), found);
      if (uncompared !== null) opened.#comparison.start(uncompared.calls, uncompared.records);
      if (owed.put.length + owed.drop.length > 0) await opened.#store(owed.put, owed.drop);
      return opened;
    });
  }

  get calls(): Observable<readonly OutboxCall[]> {
    return this.#notices.of('calls', () => this.#present.copy());
  }

  get sent(): Observable<readonly OutboxCall[]> {
    return this.#notices.of('sent', () => this.#sent);
  }

  get log(): SentLog {
    return this.#log;
  }

  /** The calls as they are now, and the ways to find them. */
  get index(): Calls {
    return this.#present;
  }

  get(id: string): OutboxCall | undefined {
    return this.#present.get(id);
  }

  present(): readonly OutboxCall[] {
    return this.#present.copy();
  }

  about(collection: SyncedCollection, id: string): OutboxCall[] {
    const real = this.realId(id) ?? id;
    return [real, ...this.#ids.temporaryIds(real)]
      .flatMap((one) => this.#present.about(collection, one))
      .toSorted(byOrder);
  }

  realId(temporary: string): string | undefined {
    return this.#ids.realId(temporary);
  }

  /**
   * `by`: the person who did it at a station, in whose name the calls are sent.
   * @throws Problem forbidden when a station cannot record one of them
   */
  async add(calls: NewCall[], by?: Recorder): Promise<OutboxCall[]> {
    let results: OutboxCall[] = [];
    const { environment, userid } = this.#deps;
    const named = await Promise.all(calls.map((call) => namedCall(call, this.#deps)));
    await this.update(() => {
      const joined = joinAll(named, this.#present, (call, order) =>
        wholeCall(call, {
          id: call.id ?? environment.uuid(),
          at: environment.now(),
          order,
          ...(by ?? { userid }),
        }),
      );
      mustBeRecordable(joined.change.put);
      results = joined.results;
      return joined.change;
    });
    return results;
  }

  async change(id: string, change: Parameters<Outbox['change']>[1]): Promise<void> {
    await this.update((present) => {
      const call = present.get(id);
      if (call === undefined) throw new Problem('not-found', 'This change is no longer waiting');
      if (isUnreadable(call)) throw new Problem('invalid', call.refusal?.message ?? '');
      const isRemark = Object.keys(change).every((name) => name === 'context');
      if (call.state === 'done' || (call.state === 'sending' && !isRemark))
        throw new Error(`The call ${id} is ${call.state}`);
      // A call that was refused for NUL is sent without it.
      const next: OutboxCall = withoutNul({ ...call, ...change });
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
      const call = present.get(id);
      if (call === undefined) return {};
      if (call.state === 'sending') throw new Error(`The call ${id} is being sent`);
      return { put: inheritRevision(present, call), drop: [id] };
    });
    if (fileId !== null) await this.#deps.journal.deleteFile(fileId);
  }
  readonly removeKept = (id: string): Promise<void> => this.remove(id);

  async strip(id: string, { subject, context }: Pick<OutboxCall, 'subject' | 'context'>): Promise<void> {
    await this.update((present) => {
      const call = present.get(id);
      if (call === undefined || call.state === 'sending' || call.state === 'done') return {};
      return { put: [{ ...call, subject, context }] };
    });
  }

  /** Replaces calls that are remembered as sent, by id; null forgets one. */
  async rewriteSent(changes: ReadonlyMap<string, OutboxCall | null>): Promise<void> {
    if (changes.size === 0) return;
    await this.#log.rewrite(changes);
    this.#sent = this.#sent.flatMap((call) => {
      const next = changes.get(call.id);
      return next === undefined ? call : (next ?? []);
    });
    this.#notices.tellSent();
  }

  /**
   * Adds calls that another device made for this person, after those that wait and in their order. Resolves to how many
   * were new here. They may have been sent: nothing joins them (OUTBOX-3).
   */
  async take(calls: readonly OutboxCall[]): Promise<number> {
    let taken = 0;
    await this.update((present) => {
      const first = (present.last?.order ?? 0) + 1;
      const put = calls
        .filter(({ id }) => present.get(id) === undefined)
        .map((call, index) => ({
          ...call,
          userid: call.recorded === undefined ? this.#deps.userid : call.userid,
          order: first + index,
        }));
      taken = put.length;
      return { put: put.map((call) => ({ ...call, tries: Math.max(1, call.tries), needs: needsOf(call) })) };
    });
    return taken;
  }

  /** One change, alone among all tabs: `decide` sees the calls as they are; the result is journalled, copied and shown. */
  async update(decide: (present: Calls) => OutboxChange): Promise<void> {
    await this.#alone(async () => {
      if (this.#deps.multiInstance) await this.#otherTabs.catchUp();
      const { put = [], drop = [], sent = [], unsent = [] } = decide(this.#present);
      const gone = new Set(unsent);
      if (put.length === 0 && drop.length === 0 && unsent.length === 0) return;
      const { journal, seen, home } = this.#deps;
      const puts = [...put.map((call) => putRecord(call, home)), ...this.#log.forgotten(unsent)];
      const stored = put.map(({ id }) => id);
      await this.#copies.noteOver(async (notes) => {
        const records = [...puts, ...notes];
        if (seen !== undefined) await seen.journalWith(records);
        else if (records.length > 0) await journal.append(records);
      }, stored);
      await this.#store(put, drop);
      const deletes: JournalRecord[] = drop.map((id) => ({ op: 'delete', collection: 'outbox', id }));
      const done = sent.map((call) => this.#log.record(call));
      if (drop.length > 0)
        await this.#copies.noteOver((notes) => journal.append([...deletes, ...done, ...notes]));
      if (unsent.length > 0) this.#sent = this.#sent.filter(({ id }) => !gone.has(id));
      this.#show(put, drop, sent);
    });
  }

  /** Remembers calls as sent, with the ids that the server gave to what they created. */
  async learn(sent: OutboxCall[]): Promise<void> {
    if (sent.length > 0) await this.#deps.journal.append(sent.map((call) => this.#log.record(call)));
    for (const call of sent) this.#ids.learn(call.created);
    this.#notices.tell();
  }

  /** The server has another history: these temporary ids (with `tmp:`) stand for what `now` says, or for nothing. */
  forgetIds(temporaries: readonly string[], now: Record<string, string>): void {
    for (const temporary of temporaries) this.#ids.forget(temporary);
    this.#ids.learn(now);
    this.#notices.tell();
  }

  /** Remembers what temporary ids (with `tmp:`) have become, when no sent call contains it. */
  async learnIds(created: Record<string, string>, options?: AppendOptions): Promise<void> {
    if (Object.keys(created).length === 0) return;
    const { journal, home } = this.#deps;
    await this.#alone(async () => {
      const { meta } = await journal.entries();
      const value = { ...parseIds(meta.get(idsRecord(home))), ...created };
      await journal.append([{ op: 'put', collection: 'meta', id: idsRecord(home), value }], options);
    });
    this.#ids.learn(created);
    this.#notices.tell();
  }

  /** Resolves when changes that have begun are done; nothing is changed after that. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running.catch(() => undefined);
    this.#stopWatching();
    this.#copies.close();
    this.#comparison.close();
    this.#otherTabs.close();
    this.#notices.close();
  }

  /** Runs `run` alone among all tabs. */
  #alone(run: () => Promise<void>): Promise<void> {
    return this.#deps.lock(outboxLock(this.#deps.home), () => {
      if (this.#isClosed) throw new HomeChanged();
      this.#running = run();
      return this.#running;
    });
  }

  async #store(put: readonly OutboxCall[], drop: readonly string[]): Promise<void> {
    await this.#copies.store(
      put.map((call) => [call.id, call] as const),
      drop,
    );
  }

  #takeOver({ put, gone, changed }: JournalledChange): void {
    const present = new Map(put.map((call) => [call.id, call]));
    // Another tab that changed a call wrote its copy; what this tab changed itself is the same here.
    this.#copies.forget((id, copy) => changed.has(id) && !sameValue(present.get(id), copy));
    const drop = gone.filter((id) => this.get(id) !== undefined);
    if (put.length > 0 || drop.length > 0) this.#show(put, drop);
  }

  #show(put: readonly OutboxCall[], drop: readonly string[], sent: readonly OutboxCall[] = []): void {
    for (const call of [...put, ...sent]) this.#ids.learn(call.created);
    if (sent.length > 0) this.#sent = listed([...this.#sent, ...sent], this.#deps.environment.now());
    this.#present.apply(put, drop);
    this.#notices.tell();
  }
}
