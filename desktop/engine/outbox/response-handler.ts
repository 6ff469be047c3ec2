import type { FeedRow } from '#shared/sync/wire.ts';

import type { ConflictHandler, Environment, OutboxCall } from '../platform/ports.ts';
import { backoff, longestWait, retryAfter } from '../platform/backoff.ts';
import { doneCall, isDoneAlready, parkedCall, targetRow, verdictOf, type Answer } from './answers.ts';
import type { Calls } from './calls.ts';
import type { JournaledOutbox } from './outbox.ts';
import { saysNeedsLead } from './recorded.ts';
import { inheritRevision, passRevision } from './revisions.ts';
import { idsCreatedBy, needsOf } from '../sync/temporary-ids.ts';

export interface ResponseHandlerDeps {
  environment: Pick<Environment, 'now' | 'random' | 'uuid'>;
  /** Ms since 1970 by a clock that is not set while the app runs. */
  steadyNow: () => number;
  outbox: JournaledOutbox;
  /** Stores rows in the mirror; resolves to true when they are stored, to false if the mirror accepts none at present. */
  feed: (rows: FeedRow[]) => Promise<boolean>;
  conflicts: () => ConflictHandler | null;
  /** Called when a call was done without rows: only the next pull brings its effect. */
  askRound: () => void;
}

/** A call and the server's answer. */
export interface Answered {
  call: OutboxCall;
  answer: Answer;
}

/** Changes calls after an answer of the server, or after rows of the feed with their keys. Rules OUTBOX-4, OUTBOX-5, OUTBOX-12, OUTBOX-16, OUTBOX-17. */
export class ResponseHandler {
  readonly #deps: ResponseHandlerDeps;

  constructor(deps: ResponseHandlerDeps) {
    this.#deps = deps;
  }

  /** Settles answers in their order. Those in a row that say "done" are settled together (OUTBOX-40). */
  async settleAll(answered: readonly Answered[]): Promise<void> {
    let done: Answered[] = [];
    for (const one of answered) {
      if (verdictOf(one.answer.status) === 'done') {
        done.push(one);
        continue;
      }
      await this.#done(done);
      done = [];
      await this.settle(one.call, one.answer);
    }
    await this.#done(done);
  }

  async settle(call: OutboxCall, answer: Answer): Promise<void> {
    const { outbox, environment } = this.#deps;
    const now = environment.now();
    switch (verdictOf(answer.status)) {
      case 'done':
        return this.#done([{ call, answer }]);
      case 'not-run':
        // It did not reach a handler, so it still counts as unsent.
        return this.#put(call.id, (present) => ({ ...present, state: 'queued', tries: present.tries - 1 }));
      case 'sign-in':
        return this.#put(call.id, (present) => ({ ...present, state: 'queued' }));
      case 'again':
        return this.#put(call.id, (present) => ({
          ...present,
          state: 'queued',
          nextTryAt:
            this.#deps.steadyNow() +
            (retryAfter(answer.headers, now) ?? backoff(present.tries, environment.random())),
        }));
      case 'refused':
        return this.#refused(call, answer);
      case 'conflict': {
        const present = outbox.get(call.id);
        return present === undefined ? undefined : this.#conflict(present, answer);
      }
    }
  }

  /**
   * Called with rows of the feed before the mirror stores them: calls with their keys are done, even if the answer was
   * lost. A row without facts settles only a call whose ids no other call needs.
   */
  async onRowsReceived(rows: readonly FeedRow[]): Promise<void> {
    const byKey = Map.groupBy(
      rows.filter(({ key }) => key !== undefined),
      ({ key }) => key,
    );
    const { outbox } = this.#deps;
    const named = (calls: Calls): OutboxCall[] =>
      [...byKey.keys()].flatMap((key) => {
        const call = key === undefined ? undefined : calls.get(key);
        return call === undefined || call.state === 'done' ? [] : [call];
      });
    if (named(outbox.index).length === 0) return;
    await outbox.update((calls) => {
      const settled = named(calls).flatMap((call) => {
        const ownRows = byKey.get(call.id) ?? [];
        return isSettledBy(call, calls, ownRows)
          ? [{ call, answer: { rows: ownRows, created: {}, replayed: false } }]
          : [];
      });
      return { put: this.#settledBy(calls, settled) };
    });
  }

  /** The mirror now holds these rows, and everything up to `seq`: removes done calls whose effect it holds (OUTBOX-12). */
  async onRowsStored(rows: readonly FeedRow[], seq: number, roundStartedAt: number | null): Promise<void> {
    const keys = new Set(rows.flatMap(({ key }) => key ?? []));
    const targets = new Map<string, number>();
    for (const row of rows) targets.set(recordOf(row), Math.max(row.seq, targets.get(recordOf(row)) ?? 0));
    const isHeld = (call: OutboxCall): boolean => {
      if (keys.has(call.id)) return true;
      if (call.doneSeq !== null)
        return call.doneSeq <= seq || (targets.get(targetOf(call)) ?? -1) >= call.doneSeq;
      return roundStartedAt !== null && (call.doneAt ?? 0) <= roundStartedAt;
    };
    const held = (calls: Calls): OutboxCall[] => calls.inState('done').filter(isHeld);
    if (held(this.#deps.outbox.index).length > 0) await this.#leave(held);
    if (rows.some(({ c }) => c === 'wikis')) await this.#freeRenamed();
  }

  /** Sends calls again that were refused because their page was renamed, if the feed brought its new title (OUTBOX-17). */
  async #freeRenamed(): Promise<void> {
    const { outbox, conflicts } = this.#deps;
    const missed = outbox.index.inState('parked').filter(({ refusal }) => refusal?.status === 404);
    for (const call of missed) {
      const path = await conflicts()?.pathNow(call);
      if (path !== undefined && path !== null) await this.#sendAgain(call.id, { path });
    }
  }

  async #refused(call: OutboxCall, answer: Answer): Promise<void> {
    const { conflicts, askRound } = this.#deps;
    if (answer.status === 403 && saysNeedsLead(answer.body)) return this.#wait(call, answer);
    if (isDoneAlready(call, answer)) {
      await this.#done([{ call, answer }]);
      return askRound();
    }
    const path = answer.status === 404 ? ((await conflicts()?.pathNow(call)) ?? null) : null;
    if (path !== null) return this.#sendAgain(call.id, { path });
    return this.#put(call.id, (present) => parkedCall(present, answer.status, answer.body));
  }

  /**
   * - STATION-ENGINE-3 The calls of a person who no longer belongs to the station wait, with the server's words, and are tried
   *   again after growing waits and at each contact: they go as soon as a lead has accepted them. Calls in other lanes do
   *   not wait for them.
   */
  #wait(call: OutboxCall, { status, body }: Answer): Promise<void> {
    return this.#put(call.id, (present) => ({
      ...present,
      state: 'queued',
      refusal: parkedCall(present, status, body).refusal,
      nextTryAt: this.#deps.steadyNow() + Math.min(60_000 * 2 ** Math.min(present.tries, 10), longestWait),
    }));
  }

  async #done(answered: readonly Answered[]): Promise<void> {
    if (answered.length === 0) return;
    const { outbox, feed, askRound } = this.#deps;
    await outbox.update((calls) => {
      const present = answered.flatMap(({ call, answer }) => {
        const now = calls.get(call.id);
        return now === undefined || now.state === 'done' ? [] : [{ call: now, answer }];
      });
      return { put: this.#settledBy(calls, present) };
    });
    const rows = answered.flatMap(({ answer }) => answer.rows);
    const takesRows = rows.length === 0 || (await feed(rows));
    // The record of an upload comes only by the feed.
    if (answered.some(({ call }) => call.fileId !== null)) askRound();
    const held = answered.filter(
      ({ call, answer }) => call.fileId === null && (takesRows || answer.rows.length === 0),
    );
    await this.#leave((calls) =>
      held.flatMap(({ call }) => {
        const done = calls.get(call.id);
        return done?.state === 'done' ? [done] : [];
      }),
    );
  }

  #settledBy(
    calls: Calls,
    settled: { call: OutboxCall; answer: Pick<Answer, 'rows' | 'created' | 'replayed'> }[],
  ): OutboxCall[] {
    const now = this.#deps.environment.now();
    return settled.flatMap(({ call, answer }) => {
      const done = doneCall(call, answer, now);
      // A replay shows the record as it is now, not as this call left it.
      return [done, ...passRevision(calls, done, answer.replayed ? undefined : targetRow(done, answer.rows))];
    });
  }

  /** Drops done calls and remembers them as sent. */
  #leave(held: (calls: Calls) => OutboxCall[]): Promise<void> {
    return this.#deps.outbox.update((calls) => {
      const sent = held(calls);
      return { drop: sent.map(({ id }) => id), sent };
    });
  }

  async #conflict(call: OutboxCall, answer: Answer): Promise<void> {
    const { outbox, feed, conflicts } = this.#deps;
    if (answer.rows.length > 0) await feed(answer.rows);
    const handler = conflicts();
    if (handler === null) return this.#put(call.id, (present) => parkedCall(present, 409, answer.body));
    const decision = await handler.settle(call, answer.rows);
    switch (decision.action) {
      case 'resend':
        return this.#sendAgain(call.id, {
          body: decision.body,
          query: decision.query,
          context: decision.context,
          ...(decision.path === undefined ? {} : { path: decision.path }),
        });
      case 'drop':
        // Calls behind it in its lane must not wait for a revision that this call will never produce.
        return outbox.update((calls) => ({ put: inheritRevision(calls, call), drop: [call.id] }));
      case 'decide':
        return this.#put(call.id, (present) => ({
          ...present,
          state: 'conflict',
          context: decision.context,
        }));
      case 'park':
        return this.#put(call.id, (present) => parkedCall(present, 409, { message: decision.message }));
    }
  }

  /** Queues the call under a new key, because it is another request now. */
  #sendAgain(
    id: string,
    change: Partial<Pick<OutboxCall, 'path' | 'query' | 'body' | 'context'>>,
  ): Promise<void> {
    const { outbox, environment } = this.#deps;
    return outbox.update((calls) => {
      const present = calls.get(id);
      if (present === undefined) return {};
      const next: OutboxCall = {
        ...present,
        ...change,
        id: environment.uuid(),
        state: 'queued',
        tries: 0,
        nextTryAt: 0,
        refusal: null,
      };
      next.needs = needsOf(next);
      return { put: [next], drop: [present.id] };
    });
  }

  #put(id: string, change: (present: OutboxCall) => OutboxCall): Promise<void> {
    return this.#deps.outbox.update((calls) => {
      const present = calls.get(id);
      return present?.state === 'sending' ? { put: [change(present)] } : {};
    });
  }
}

/** Key of a record across collections. */
function recordOf({ c, id }: Pick<FeedRow, 'c' | 'id'>): string {
  return `${c}/${id}`;
}

function targetOf({ target, created }: OutboxCall): string {
  return recordOf({ c: target.collection, id: created[target.id] ?? target.id });
}

function isSettledBy(call: OutboxCall, calls: Calls, rows: readonly FeedRow[]): boolean {
  if (rows.some(({ doc, removed }) => doc !== undefined || removed === true)) return true;
  return !idsCreatedBy(call).some((id) => calls.needing(id).some((other) => other.id !== call.id));
}
