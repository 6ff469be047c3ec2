import { Worker } from 'node:worker_threads';

import { slicesOf } from '#server/platform/slices.ts';

import { UnreadableBmp, type RawPixels } from './bmp.ts';

/** What the thread answers. */
export type BmpAnswer = { pixels: RawPixels } | { unreadable: string };

/**
 * Decodes a BMP in a separate thread: a picture of 49 megapixels takes a second. Its memory is known beforehand (its
 * bytes and at most four for each pixel); the caller checks the size first (`bmpSize`).
 * @throws UnreadableBmp
 */
export async function decodeBmpInThread(bytes: Buffer): Promise<RawPixels> {
  const workerData = await sharedCopy(bytes);
  const worker = new Worker(new URL('bmp-worker.ts', import.meta.url), { workerData });
  const answer = await new Promise<BmpAnswer>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The thread ended with ${code} and no picture`)));
  });
  if ('unreadable' in answer) throw new UnreadableBmp(answer.unreadable);
  const { data, ...size } = answer.pixels;
  // A buffer comes out of a thread as plain bytes.
  return { ...size, data: Buffer.from(data.buffer, data.byteOffset, data.length) };
}

/** Bytes that a thread reads as they are: to hand over 80 MB otherwise would take 50 ms of the loop. */
async function sharedCopy(bytes: Buffer): Promise<SharedArrayBuffer> {
  const shared = new SharedArrayBuffer(bytes.length);
  const copy = new Uint8Array(shared);
  let at = 0;
  for await (const slice of slicesOf(bytes)) {
    copy.set(slice, at);
    at += slice.length;
  }
  return shared;
}
