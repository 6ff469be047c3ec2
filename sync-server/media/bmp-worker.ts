/** The program of a thread that decodes one BMP. */
import { parentPort, workerData } from 'node:worker_threads';

import { must } from '#shared/must.ts';

import { decodeBmp, UnreadableBmp, type BmpAnswer } from './bmp.ts';

function answer(): BmpAnswer {
  try {
    return { pixels: decodeBmp(Buffer.from(workerData as SharedArrayBuffer)) };
  } catch (error) {
    if (error instanceof UnreadableBmp) return { unreadable: error.message };
    throw error;
  }
}

const found = answer();
must(parentPort, 'who asks').postMessage(found, 'pixels' in found ? [found.pixels.data.buffer] : []);
