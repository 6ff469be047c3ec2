import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Frees all memory that nothing holds, so that what is measured then is held. */
export const collectGarbage = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
