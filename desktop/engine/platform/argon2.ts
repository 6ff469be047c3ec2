import type { VerifierCost } from '#shared/rules/stations.ts';

/** What is hashed. */
export interface Argon2Work extends VerifierCost {
  text: string;
  salt: Uint8Array;
}

/**
 * Argon2id (RFC 9106, version 0x13, one lane, 32 bytes) in lower-case hexadecimal. It runs in a worker if there are
 * workers, because it takes up to a second in JavaScript. Its code is loaded at the first call.
 */
export async function argon2(work: Argon2Work): Promise<string> {
  if (typeof Worker !== 'undefined') return argon2InWorker(work);
  const { argon2Here } = await import('./argon2-here.ts');
  return argon2Here(work);
}

async function argon2InWorker(work: Argon2Work): Promise<string> {
  const worker = new Worker(new URL('./argon2-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(`The worker that hashes failed: ${message}`));
  worker.postMessage(work);
  try {
    return String(await promise);
  } finally {
    worker.terminate();
  }
}
