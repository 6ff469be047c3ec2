import { fileFields, withRealIds } from '#shared/sync/temporary-ids.ts';
import { batchLimits, type BatchCall } from '#shared/sync/wire.ts';

import { retryAfter } from '../platform/backoff.ts';
import type { Environment, OutboxCall } from '../platform/ports.ts';
import type { ServerConnection } from '../sync/server-connection.ts';
import { verdictOf } from './answers.ts';
import { isOfAccount } from './calls.ts';
import { nextBatch } from './lanes.ts';
import type { JournaledOutbox } from './outbox.ts';
import { wireCall } from './replay-after-restore.ts';
import type { Answered, ResponseHandler } from './response-handler.ts';

export interface InFlightDeps {
  environment: Pick<Environment, 'now'>;
  /** Ms since 1970 by a clock that is not set while the app runs. */
  steadyNow: () => number;
  connection: ServerConnection;
  outbox: JournaledOutbox;
  responseHandler: ResponseHandler;
  userid: number;
  /** The token was refused: sending waits for sign-in. */
  noteExpired(token: string | null): void;
}

/** Calls between the moment when they are chosen and their answer. */
export class InFlight {
  readonly #deps: InFlightDeps;

  constructor(deps: InFlightDeps) {
    this.#deps = deps;
  }

  /** Marks calls as being sent. Leaves out what another tab changed meanwhile, and calls of other people (OUTBOX-13). */
  async claim(ready: OutboxCall[]): Promise<OutboxCall[]> {
    let claimed: OutboxCall[] = [];
    await this.#deps.outbox.update((present) => {
      // A call that joined since may need a file that the server does not have yet.
      const { calls, uploads } = nextBatch(present, this.#deps.steadyNow(), batchLimits.calls);
      const leaving = new Map([...calls, ...uploads].map((call) => [call.id, call]));
      claimed = ready
        .flatMap(({ id }) => leaving.get(id) ?? [])
        .filter((call) => isOfAccount(call, this.#deps.userid))
        .map((call) => ({ ...call, state: 'sending', tries: call.tries + 1 }));
      return { put: claimed };
    });
    return claimed;
  }

  /** No answer came: returns calls to the queue. Their key makes a second delivery harmless. */
  async giveBack(calls: OutboxCall[]): Promise<void> {
    if (calls.length === 0) return;
    await this.#deps.outbox.update((present) => ({
      put: calls
        .flatMap(({ id }) => present.get(id) ?? [])
        .filter(({ state }) => state === 'sending')
        .map((call) => ({ ...call, state: 'queued' })),
    }));
  }

  /** Settles answered calls. `token`: the one of the request. */
  async settle(answered: readonly Answered[], token: string | null): Promise<void> {
    const { environment, connection } = this.#deps;
    if (answered.some(({ answer }) => verdictOf(answer.status) === 'sign-in')) this.#deps.noteExpired(token);
    await this.#deps.responseHandler.settleAll(answered);
    for (const { answer } of answered) {
      const wait =
        verdictOf(answer.status) === 'again' ? retryAfter(answer.headers, environment.now()) : null;
      if (wait !== null) connection.askedToWait(wait);
    }
  }

  /**
   * The call with the server's ids, except those of files: answers to uploads name no checkpoint, so a restore in between
   * may have given a file's number away. The server knows what it made under the temporary id (OUTBOX-34).
   */
  onTheWire(call: OutboxCall): BatchCall {
    const { connection, outbox } = this.#deps;
    const named = withRealIds(call, (temporary) => outbox.realId(temporary), fileFields);
    return wireCall(named, connection.protocol);
  }
}
