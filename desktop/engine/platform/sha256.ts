import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** SHA-256 of bytes that come in pieces: the one of the platform wants them all at once. */
export interface RunningSha256 extends Disposable {
  /** Resolves when the next piece may come; the bytes may be used for something else at once. */
  update: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** In lower-case hexadecimal; nothing may be added after it. */
  digest: () => Promise<string>;
}

/** Sums up in a worker where there are any: it takes longer than all else that keeping a file needs. */
export function runningSha256(): RunningSha256 {
  return typeof Worker === 'undefined' ? summedHere() : summedInWorker();
}

function summedHere(): RunningSha256 {
  const sum = sha256.create();
  return {
    update: async (bytes) => void sum.update(bytes),
    digest: async () => bytesToHex(sum.digest()),
    [Symbol.dispose]: () => undefined,
  };
}

function summedInWorker(): RunningSha256 {
  const worker = new Worker(new URL('./sha256-worker.ts', import.meta.url), { type: 'module' });
  const ask = async (message: Uint8Array<ArrayBuffer> | null): Promise<unknown> => {
    const moved = message === null ? [] : [message.buffer];
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message: why }) => reject(new Error(`The worker that sums up failed: ${why}`));
    worker.postMessage(message, moved);
    return promise;
  };
  // What goes to the worker comes back, so that no piece of a large file waits to be collected as garbage.
  let last: Promise<unknown> = Promise.resolve(null);
  return {
    // One piece is summed up while the next is read.
    update: async (bytes) => {
      const back = await last;
      const buffer = back instanceof Uint8Array && back.buffer instanceof ArrayBuffer ? back.buffer : null;
      const room =
        buffer === null || buffer.byteLength < bytes.length ? bytes.slice() : new Uint8Array(buffer);
      room.set(bytes);
      last = ask(room.subarray(0, bytes.length));
      // Its failure is that of the next call.
      last.catch(() => undefined);
    },
    digest: async () => {
      await last;
      return String(await ask(null));
    },
    [Symbol.dispose]: () => worker.terminate(),
  };
}
