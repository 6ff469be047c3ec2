import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Cost of argon2id: memory in KiB, and passes over it. There is one lane. */
export interface PinCost {
  memory: number;
  passes: number;
}

/** What the thread that hashes a PIN is given. */
export interface PinHashing extends PinCost {
  pin: string;
  salt: Uint8Array;
}

/**
 * The cost of new wraps: the least that OWASP recommends for argon2id. In JavaScript it takes about 0.7 s; the next step
 * would take several seconds on an old tablet.
 */
export const pinCost: PinCost = { memory: 19 * 1024, passes: 2 };

/**
 * The wrap key of a PIN, 32 bytes: argon2id (RFC 9106, version 0x13). It runs in a thread of its own, because also the
 * asynchronous variant of the library lets no event of the main process through.
 */
export function hashPin(pin: string, salt: Uint8Array, { memory, passes }: PinCost): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  // The thread's file lies beside this one, built or not.
  const file = join(import.meta.dirname, `pin-worker${extname(import.meta.filename)}`);
  const workerData: PinHashing = { pin, salt, memory, passes };
  const worker = new Worker(file, { workerData });
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('The thread that hashes a PIN ended early')));
  return promise;
}
