import { defer, distinctUntilChanged, map, type Observable, startWith, Subject } from 'rxjs';

import { Problem } from '#shared/api/problem.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { withoutNul } from '#shared/rules/without-nul.ts';
import { type SyncedCollection, temporaryId } from '#shared/sync/wire.ts';

import { HomeChanged } from '../platform/held.ts';
import { damagedSegment } from '../journal/damage.ts';
import type { AppendOptions, Journal, JournalRecord } from '../journal/journal.ts';
import { callRecord } from './about-call.ts';
import type { SeenPlace } from '../sync/mirror/seen-place.ts';
import { OwedCopies, overIn } from './owed-copies.ts';
import type { Environment, NewCall, Outbox, OutboxCall } from '../platform/ports.ts';
import type { TroubleNotes } from '../sync/troubles.ts';
import { byOrder, CallIndex, type Calls } from './calls.ts';
import { callVersion, copyOf, isUnreadable, mayBeOf, readOrPark, textOf } from './at-rest.ts';
import { coalesce } from './coalesce.ts';
import { idsRecord, parseIds } from './recovered-ids.ts';
import { inheritRevision } from './revisions.ts';
import { listed, SentLog } from './sent-log.ts';
import type { CallStore } from './stored-calls.ts';
import { bare, needsOf } from '../sync/temporary-ids.ts';

/** The notes tell of copies that the database could not take; the journal has the calls. */
export interface OutboxDeps extends TroubleNotes {
  /** Told when journal or database cannot be read again after the start. */
  reading: TroubleNotes;
  environment: Pick<Environment, 'now' | 'uuid' | 'monotonic' | 'setTimer'>;
  journal: Journal;
  stored: CallStore;
  /** Names the person's database; calls of other people and servers lie in the same journal. */
  home: string;
  userid: number;
  /** Whether other tabs write to the same outbox. */
  multiInstance: boolean;
  lock: <T>(name: string, run: () => Promise<T>) => Promise<T>;
  /** The highest place that the server's answers told; journalled with the calls. */
  seen?: Pick<SeenPlace, 'journalWith'>;
  /** The record that a new call is for, as the mirror knows it. */
  recordOf?: (call: NewCall) => Promise<OutboxCall['record']>;
  /** The step that a new call is on, likewise. */
  stepOf?: (call: NewCall) => Promise<OutboxCall['step']>;
}

/** What one step changes: calls stored, calls dropped; `sent` of the dropped ones are remembered as sent. */
export interface OutboxChange {
  put?: OutboxCall[];
  drop?: string[];
  sent?: OutboxCall[];
  /** Ids of calls that are no longer remembered as sent. */
  unsent?: string[];
}

/** Up to so many calls, every change is told at once. */
const toldAtOnce = 1000;

/** Up to so many calls, their copies in the database are read at start. */
const readAtStart = 1000;
/** Of more than that, so many are compared at a time, and so long after each other in ms. */
const comparedAtOnce = 500;
const compareEvery = 200;
/** After so long, what could not be read is read again, ms. */
const againAfter = 5000;

/** The calls of one person on this device. Journal first: a call exists when its append was fsynced (OUTBOX-8). */
export class JournaledOutbox implements Outbox {
  readonly #deps: OutboxDeps;
  readonly #log: SentLog;
  readonly #present: CallIndex;
  #sent: readonly OutboxCall[];
  readonly #changes = { sent: new Subject<void>(), calls: new Subject<void>() };
  readonly #realIds = new Map<string, string>();
  /** The other way round, with `tmp:`. */
  readonly #temporaryIds = new Map<string, Set<string>>();
  readonly #stopWatching: () => void;
  readonly #copies: OwedCopies<OutboxCall>;
  /** The append of the journal up to which its calls are known here. */
  #seq: number;
  #isStale = false;
  #isClosed = false;
  #running: Promise<void> = Promise.resolve();
  /** Monotonic ms before which nobody is told of changes, and what tells then. */
  #quietUntil = 0;
  #cancelTelling: (() => void) | null = null;
  /** What ends the comparison of copies with the journal. */
  #cancelComparing: (() => void) | null = null;
  /** What ends the wait before the journal is read again. */
  #cancelReading: (() => void) | null = null;
  /** The journal had lost calls that the database gave back. */
  readonly hasRecovered: boolean;

  private constructor(deps: OutboxDeps, log: SentLog, found: Found) {
    const { calls, sent, seq, hasRecovered } = found;
    this.hasRecovered = hasRecovered;
    this.#deps = deps;
    this.#log = log;
    this.#seq = seq;
    for (const call of [...sent, ...calls]) this.#learnIds(call);
    this.#present = new CallIndex(calls);
    this.#sent = listed(sent, deps.environment.now());
    const inOrder = (run: () => Promise<void>): Promise<void> =>
      this.#alone(async () => {
        if (deps.multiInstance) await this.#catchUp();
        await run();
      });
    this.#copies = new OwedCopies({ ...deps, inOrder, overPrefix: overPrefix(deps) }, (put, drop) =>
      deps.stored.write(put, drop),
    );
    this.#copies.knowOver(found.over);
    this.#stopWatching = deps.stored.watchOthers((removed) => this.#follow(removed));
  }

  /** Opens the outbox and brings journal and database together: what one of them lost, the other gives back (OUTBOX-9). */
  static async open(deps: OutboxDeps): Promise<JournaledOutbox> {
    return deps.lock(lockName(deps), async () => {
      const { seq, values } = await deps.journal.changes('outbox', 0);
      const meta = await deps.journal.changes('meta', 0);
      const inJournal = callsIn(values, deps);
      const known = new Set(inJournal.map(({ id }) => id));
      // What the database holds just as the journal does need not be read again: that is nearly all there is.
      const same = new Set<string>();
      const isKnown = (id: string, text: string): boolean => {
        const isSame = known.has(id) && copyOf(values.get(id)) === text;
        if (isSame) same.add(id);
        return isSame;
      };
      const isOwn = ({ userid }: OutboxCall): boolean => userid === deps.userid;
      const damaged = damagedSegment(deps.journal.health());
      const isMended = damaged <= Number(meta.values.get(mendedRecord(deps)) ?? 0);
      const copies = inJournal.filter((call) => isOwn(call) && !isUnreadable(call));
      const isLater = isMended && copies.length > readAtStart && (await hasCopiesOf(copies, deps));
      const copied = isLater
        ? []
        : await deps.stored.read(isKnown).catch((error: unknown) => {
            deps.noteTrouble(error);
            return [];
          });
      const stored = copied.map((call) =>
        isUnreadable(call) ? readOrPark(call.id, homed(call.context, deps.home), deps.userid) : call,
      );
      const over = overIn(meta.values, overPrefix(deps));
      const lostByJournal = stored.filter(({ id }) => !known.has(id) && !over.has(id));
      const byId = new Map(stored.map((call) => [call.id, call]));
      // What damage took may be the last word on a call that the journal still knows.
      const wordOn = (call: OutboxCall): OutboxCall => {
        const copy = byId.get(call.id);
        return copy === undefined || isUnreadable(copy) || isUnreadable(call) ? call : copy;
      };
      const journalled = isMended ? inJournal : inJournal.map(wordOn);
      const records = [...lostByJournal, ...(isMended ? [] : journalled)].map((call) =>
        putRecord(deps, call),
      );
      if (!isMended) records.push({ op: 'put', collection: 'meta', id: mendedRecord(deps), value: damaged });
      if (records.length > 0) await deps.journal.append(records, { canWait: true });
      const unlike = journalled.filter(
        (call) => isOwn(call) && !same.has(call.id) && !sameValue(call, byId.get(call.id)),
      );
      const log = new SentLog(deps.journal, deps.home);
      const opened = new JournaledOutbox(deps, log, {
        calls: [...journalled, ...lostByJournal].filter(isOwn),
        sent: log.callsIn(meta.values),
        seq,
        hasRecovered: lostByJournal.length > 0,
        over,
      });
      opened.#learn(parseIds(meta.values.get(idsRecord(deps.home))));
      if (isLater) opened.#compareLater(copies, values, compareEvery);
      const put = isLater ? [] : unlike;
      const drop = [...over].filter((id) => !known.has(id));
      if (put.length + drop.length > 0) await opened.#store(put, drop);
      return opened;
    });
  }

  get calls(): Observable<readonly OutboxCall[]> {
    return this.#told('calls', () => this.#present.copy());
  }

  get sent(): Observable<readonly OutboxCall[]> {
    return this.#told('sent', () => this.#sent);
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
    return [real, ...(this.#temporaryIds.get(real) ?? [])]
      .flatMap((one) => this.#present.about(collection, one))
      .toSorted(byOrder);
  }

  realId(temporary: string): string | undefined {
    // A step that is put back keeps its number as its key: "28" may be learnt, and is no id of guide 28.
    return temporary.startsWith(temporaryId('')) ? this.#realIds.get(bare(temporary)) : undefined;
  }

  async add(calls: NewCall[]): Promise<OutboxCall[]> {
    let results: OutboxCall[] = [];
    const nothing = (): Promise<undefined> => Promise.resolve(undefined);
    const { recordOf = nothing, stepOf = nothing } = this.#deps;
    const whole = await Promise.all(
      calls.map(async (call) => ({
        ...withoutNul(call),
        record: call.record ?? (await recordOf(call)),
        step: call.step ?? (await stepOf(call)),
      })),
    );
    await this.update((present) => {
      const joined = this.#joined(whole, present);
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
      // What was refused for NUL is sent without it.
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

  async strip(id: string, { subject, context }: Pick<OutboxCall, 'subject' | 'context'>): Promise<void> {
    await this.update((present) => {
      const call = present.get(id);
      if (call === undefined || call.state === 'sending' || call.state === 'done') return {};
      return { put: [{ ...call, subject, context }] };
    });
  }

  /** Replaces calls that are remembered as sent, by id; null: forgets one. */
  async rewriteSent(changes: ReadonlyMap<string, OutboxCall | null>): Promise<void> {
    if (changes.size === 0) return;
    await this.#log.rewrite(changes);
    this.#sent = this.#sent.flatMap((call) => {
      const next = changes.get(call.id);
      return next === undefined ? call : (next ?? []);
    });
    this.#changes.sent.next();
  }

  /**
   * Takes calls in that another device made for this person, behind those that wait and in their order; resolves to how
   * many were not here. They may have been sent: nothing joins them (OUTBOX-3).
   */
  async take(calls: readonly OutboxCall[]): Promise<number> {
    let taken = 0;
    await this.update((present) => {
      const first = (present.last?.order ?? 0) + 1;
      const put = calls
        .filter(({ id }) => present.get(id) === undefined)
        .map((call, index) => ({ ...call, userid: this.#deps.userid, order: first + index }));
      taken = put.length;
      return { put: put.map((call) => ({ ...call, tries: Math.max(1, call.tries), needs: needsOf(call) })) };
    });
    return taken;
  }

  /** One step, alone among all tabs: decides on the calls as they are, journals, stores, shows. */
  async update(decide: (present: Calls) => OutboxChange): Promise<void> {
    await this.#alone(async () => {
      if (this.#deps.multiInstance) await this.#catchUp();
      const { put = [], drop = [], sent = [], unsent = [] } = decide(this.#present);
      const gone = new Set(unsent);
      if (put.length === 0 && drop.length === 0 && unsent.length === 0) return;
      const { journal, seen } = this.#deps;
      const puts = [...put.map((call) => putRecord(this.#deps, call)), ...this.#log.forgotten(unsent)];
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

  /** Remembers calls as sent, with the ids that the server gives to what they created. */
  async learn(sent: OutboxCall[]): Promise<void> {
    if (sent.length > 0) await this.#deps.journal.append(sent.map((call) => this.#log.record(call)));
    for (const call of sent) this.#learnIds(call);
    this.#tell();
  }

  /** The server has another history: what it made of these temporary ids (with `tmp:`) is what `now` says, or gone. */
  forgetIds(temporaries: readonly string[], now: Record<string, string>): void {
    for (const temporary of temporaries) this.#forgetId(bare(temporary));
    this.#learn(now);
    this.#tell();
  }

  /** Remembers what temporary ids (with `tmp:`) have become, where no sent call tells it any more. */
  async learnIds(created: Record<string, string>, options?: AppendOptions): Promise<void> {
    if (Object.keys(created).length === 0) return;
    const { journal, home } = this.#deps;
    await this.#alone(async () => {
      const { meta } = await journal.entries();
      const value = { ...parseIds(meta.get(idsRecord(home))), ...created };
      await journal.append([{ op: 'put', collection: 'meta', id: idsRecord(home), value }], options);
    });
    this.#learn(created);
    this.#tell();
  }

  /** Resolves when what has begun is done; nothing is changed after that. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running.catch(() => undefined);
    this.#stopWatching();
    this.#copies.close();
    this.#cancelComparing?.();
    this.#cancelComparing = null;
    this.#cancelReading?.();
    this.#cancelTelling?.();
    this.#changes.sent.complete();
    this.#changes.calls.complete();
  }

  /** Runs `run` alone among all tabs. */
  #alone(run: () => Promise<void>): Promise<void> {
    return this.#deps.lock(lockName(this.#deps), () => {
      if (this.#isClosed) throw new HomeChanged();
      this.#running = run();
      return this.#running;
    });
  }

  /** What becomes of the outbox when `calls` join it one after the other. */
  #joined(calls: readonly NewCall[], present: Calls): { change: OutboxChange; results: OutboxCall[] } {
    const trial = this.#present;
    const before = new Map<string, OutboxCall | undefined>();
    const results = calls.map((call) => {
      const { put, drop, result } = coalesce(trial, this.#whole(call, present.last?.order ?? 0));
      for (const id of [...put.map((one) => one.id), ...drop])
        if (!before.has(id)) before.set(id, trial.get(id));
      trial.apply(put, drop);
      return result;
    });
    const ids = [...before.keys()];
    const put = ids.flatMap((id) => trial.get(id) ?? []);
    const drop = ids.filter((id) => before.get(id) !== undefined && trial.get(id) === undefined);
    // The calls exist only once they are journalled.
    trial.apply(
      ids.flatMap((id) => before.get(id) ?? []),
      ids.filter((id) => before.get(id) === undefined),
    );
    return { change: { put, drop }, results };
  }

  async #store(put: readonly OutboxCall[], drop: readonly string[]): Promise<void> {
    await this.#copies.store(
      put.map((call) => [call.id, call] as const),
      drop,
    );
  }

  /** Compares the copies of `calls` with their records in the journal as of the start, some at a time, and mends them. */
  #compareLater(calls: readonly OutboxCall[], records: ReadonlyMap<string, unknown>, afterMs: number): void {
    const { environment, lock, stored, reading } = this.#deps;
    const compare = async (): Promise<void> => {
      // What changed since the start was stored then.
      const part = calls.slice(0, comparedAtOnce).filter((call) => this.get(call.id) === call);
      const texts = await stored.texts(part.map(({ id }) => id));
      const unlike = part.filter((call) => texts.get(call.id) !== copyIn(records, call));
      if (unlike.length > 0) await this.#store(unlike, []);
    };
    this.#cancelComparing = environment.setTimer(() => {
      const rest = calls.slice(comparedAtOnce);
      lock(lockName(this.#deps), compare).then(
        () => {
          reading.noteSuccess();
          if (this.#cancelComparing !== null && rest.length > 0)
            this.#compareLater(rest, records, compareEvery);
        },
        (error: unknown) => {
          if (this.#cancelComparing === null) return;
          reading.noteTrouble(error);
          this.#compareLater(calls, records, againAfter);
        },
      );
    }, afterMs);
  }

  /** Another tab wrote: the journal tells what. A failure is noted, and it is read again after a while. */
  #follow(removed: readonly OutboxCall[]): void {
    this.#show(
      [],
      [],
      removed.filter(({ state }) => state === 'done'),
    );
    if (this.#isStale) return;
    this.#isStale = true;
    const { environment, lock, reading } = this.#deps;
    const read = async (): Promise<void> => {
      this.#isStale = false;
      await this.#catchUp();
    };
    lock(lockName(this.#deps), read).then(reading.noteSuccess, (error: unknown) => {
      this.#isStale = false;
      if (this.#isClosed) return;
      reading.noteTrouble(error);
      this.#cancelReading ??= environment.setTimer(() => {
        this.#cancelReading = null;
        this.#follow([]);
      }, againAfter);
    });
  }

  /** Takes over what other tabs journalled since the last time. */
  async #catchUp(): Promise<void> {
    const { userid, journal } = this.#deps;
    const { seq, isWhole, values, deleted } = await journal.changes('outbox', this.#seq);
    this.#seq = seq;
    if (values.size === 0 && deleted.length === 0 && !isWhole) return;
    const put = callsIn(values, this.#deps).filter((call) => call.userid === userid);
    const gone = isWhole ? this.present().flatMap(({ id }) => (values.has(id) ? [] : [id])) : deleted;
    const changed = new Set([...values.keys(), ...gone]);
    const present = new Map(put.map((call) => [call.id, call]));
    // Another tab that changed a call wrote its copy; what this tab changed itself is the same here.
    this.#copies.forget((id, copy) => changed.has(id) && !sameValue(present.get(id), copy));
    const drop = gone.filter((id) => this.get(id) !== undefined);
    if (put.length > 0 || drop.length > 0) this.#show(put, drop);
  }

  #show(put: readonly OutboxCall[], drop: readonly string[], sent: readonly OutboxCall[] = []): void {
    for (const call of [...put, ...sent]) this.#learnIds(call);
    if (sent.length > 0) this.#sent = listed([...this.#sent, ...sent], this.#deps.environment.now());
    this.#present.apply(put, drop);
    this.#tell();
  }

  /** The present value, and the next ones as they are told. */
  #told<T>(what: 'sent' | 'calls', read: () => T): Observable<T> {
    return defer(() => this.#changes[what].pipe(startWith(undefined), map(read), distinctUntilChanged()));
  }

  /**
   * Tells what changed: at once while there are few calls. Whoever listens looks at all calls, so while there are many,
   * telling takes at most a fifth of the time.
   */
  #tell(): void {
    const { environment } = this.#deps;
    const began = environment.monotonic();
    if (this.#present.size > toldAtOnce && began < this.#quietUntil) {
      this.#cancelTelling ??= environment.setTimer(() => {
        this.#cancelTelling = null;
        this.#tell();
      }, this.#quietUntil - began);
      return;
    }
    this.#cancelTelling?.();
    this.#cancelTelling = null;
    // A call that leaves is in the list of what was sent before it is out of the other.
    this.#changes.sent.next();
    this.#changes.calls.next();
    const ended = environment.monotonic();
    this.#quietUntil = ended + 4 * (ended - began);
  }

  #learnIds(call: OutboxCall): void {
    this.#learn(call.created);
  }

  #learn(created: Record<string, string>): void {
    for (const [temporary, real] of Object.entries(created)) {
      this.#forgetId(bare(temporary));
      this.#realIds.set(bare(temporary), real);
      const names = this.#temporaryIds.get(real) ?? new Set();
      this.#temporaryIds.set(real, names.add(temporaryId(bare(temporary))));
    }
  }

  #forgetId(id: string): void {
    this.#temporaryIds.get(this.#realIds.get(id) ?? '')?.delete(temporaryId(id));
    this.#realIds.delete(id);
  }

  #whole(call: NewCall, lastOrder: number): OutboxCall {
    const { environment, userid } = this.#deps;
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
      order: lastOrder + 1,
      state: call.state ?? 'queued',
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

/** What journal and database had when the outbox was opened. */
interface Found {
  calls: readonly OutboxCall[];
  sent: readonly OutboxCall[];
  seq: number;
  hasRecovered: boolean;
  /** Copies that are noted as over. */
  over: ReadonlySet<string>;
}

/** Whether the database has as many calls as these; what it lost beside others shows when they are compared. */
async function hasCopiesOf(calls: readonly OutboxCall[], { stored }: OutboxDeps): Promise<boolean> {
  return (await stored.count().catch(() => -1)) === calls.length;
}

/** The text that the database should hold of a call. */
function copyIn(records: ReadonlyMap<string, unknown>, call: OutboxCall): string {
  return copyOf(records.get(call.id)) ?? textOf(call, callVersion);
}

function lockName({ home }: OutboxDeps): string {
  return `outbox/${home}`;
}

/** Where the journal's `meta` notes calls that are gone while the database still holds their copies. */
function overPrefix({ home }: OutboxDeps): string {
  return `over-outbox/${home}/`;
}

/** Where the journal's `meta` keeps the newest damaged segment whose calls were taken from the database. */
function mendedRecord({ home }: OutboxDeps): string {
  return `mended/${home}`;
}

function putRecord({ home }: OutboxDeps, call: OutboxCall): JournalRecord {
  return {
    op: 'put',
    collection: 'outbox',
    id: call.id,
    value: isUnreadable(call) ? call.context : callRecord(call, home),
  };
}

/** A record of the database as the journal would keep it. */
function homed(record: unknown, home: string): object {
  return { ...(Object(record) as object), home };
}

function callsIn(values: ReadonlyMap<string, unknown>, { home, userid }: OutboxDeps): OutboxCall[] {
  return [...values].flatMap(([id, record]) =>
    mayBeOf(home, record) ? [readOrPark(id, record, userid)] : [],
  );
}
