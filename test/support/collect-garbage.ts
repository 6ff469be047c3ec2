import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Runs the garbage collector, so that only reachable memory is measured afterwards. */
export const collectGarbage = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
