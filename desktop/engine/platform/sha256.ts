import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** SHA-256 of bytes that arrive in pieces; the platform's own needs all of them in one buffer. */
export interface RunningSha256 extends Disposable {
  /** Adds a piece. When it resolves, the next piece may be added, and the caller may reuse the bytes. */
  update: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** In lower-case hexadecimal; nothing may be added after it. */
  digest: () => Promise<string>;
}

/** Hashes in a worker if there are workers: it takes longer than everything else when a file is stored. */
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
  // The worker returns each buffer to be reused, so that pieces of a large file do not become garbage.
  let last: Promise<unknown> = Promise.resolve(null);
  return {
    // The worker hashes one piece while the caller reads the next.
    update: async (bytes) => {
      const back = await last;
      const buffer = back instanceof Uint8Array && back.buffer instanceof ArrayBuffer ? back.buffer : null;
      const room =
        buffer === null || buffer.byteLength < bytes.length ? bytes.slice() : new Uint8Array(buffer);
      room.set(bytes);
      last = ask(room.subarray(0, bytes.length));
      // A failure is thrown by the next call.
      last.catch(() => undefined);
    },
    digest: async () => {
      await last;
      return String(await ask(null));
    },
    [Symbol.dispose]: () => worker.terminate(),
  };
}
