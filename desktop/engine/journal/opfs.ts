import { z } from 'zod';

import { opfsAnswer, type OpfsCall } from './opfs-calls.ts';
import { WorkerMissing } from './journal-error.ts';
import { takeWorker } from './opfs-worker-ahead.ts';
import { type FlushedStore, JournalError } from './store.ts';

/**
 * Opens a store in the origin private file system, in a worker of its own. Only the leading tab may open it, because
 * its files can be open once.
 * @throws JournalError `unavailable` where the browser has no such file system (an insecure origin); `WorkerMissing` while the worker's code cannot be loaded
 */
export async function openOpfsStore(name: string): Promise<FlushedStore> {
  const worker = takeWorker();
  const given = callWorker(worker);
  const call = (method: OpfsCall['method'], ...args: readonly unknown[]) => given([], method, ...args);
  try {
    await call('open', `journal-${name}`);
  } catch (error) {
    worker.terminate();
    throw error;
  }
  return {
    durability: 'private-file-system',
    list: async () => z.array(z.string()).parse(await call('list')),
    read: async (file) =>
      z
        .instanceof(Uint8Array)
        .optional()
        .parse(await call('read', file)),
    append: async (file, at, bytes) => void (await call('append', file, at, bytes)),
    put: async (file, at, bytes) => void (await given([bytes.buffer], 'put', file, at, bytes)),
    flush: async (file) => void (await call('flush', file)),
    write: async (file, bytes) => void (await call('write', file, bytes)),
    remove: async (file) => void (await call('remove', file)),
    releaseBallast: async () => z.boolean().parse(await call('releaseBallast')),
    reserveBallast: async () => z.boolean().parse(await call('reserveBallast')),
    close: async () => {
      await call('close');
      worker.terminate();
    },
  };
}

/** Calls the worker. The buffers in `moved` are transferred to it. */
type CallWorker = (
  moved: ArrayBuffer[],
  method: OpfsCall['method'],
  ...args: readonly unknown[]
) => Promise<unknown>;

function callWorker(worker: Worker): CallWorker {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  let broken: JournalError | undefined;
  worker.addEventListener('message', (event) => {
    const answer = opfsAnswer.parse(event.data);
    const call = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) call?.reject(new JournalError(answer.error.kind, answer.error.message));
    else call?.resolve(answer.result);
  });
  worker.addEventListener('error', (event) => {
    // Code that runs and fails is reported with its message; code that does not arrive is not.
    broken =
      event instanceof ErrorEvent
        ? new JournalError('unavailable', `The journal's worker failed: ${event.message}`)
        : new WorkerMissing();
    for (const call of waiting.values()) call.reject(broken);
    waiting.clear();
  });
  return async (moved, method, ...args) => {
    if (broken !== undefined) throw broken;
    calls += 1;
    const done = Promise.withResolvers<unknown>();
    waiting.set(calls, done);
    worker.postMessage({ id: calls, method, args }, moved);
    return done.promise;
  };
}
