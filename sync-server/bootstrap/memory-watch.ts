import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often the memory of the process is looked at, ms. */
const everyMs = 5000;
/** A process that takes less is left alone, bytes: what the server takes under usual load, and some more. */
const usualBytes = 350 * 1024 ** 2;

interface Memory {
  /** What the process takes now, bytes. */
  taken(): number;
  /** Frees what nothing needs, and what V8 keeps to use again. */
  collect(): Promise<void>;
}

/**
 * One look at the memory of the process (ST10). V8 keeps the pages of garbage for itself, up to 200 MB of them, for as
 * long as requests keep coming; where the process takes much, this has them given back. What is needed all the same counts
 * as usual from then on.
 */
export function memoryWatch(memory: Memory): () => Promise<void> {
  let most = usualBytes;
  return async () => {
    if (memory.taken() <= most) return;
    await memory.collect();
    most = Math.max(usualBytes, 1.5 * memory.taken());
  };
}

/** Watches the memory of this process until it ends. */
export function watchMemory(): void {
  setFlagsFromString('--expose-gc');
  // V8 gives the function to new contexts only.
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
  const look = memoryWatch({
    taken: () => process.memoryUsage.rss(),
    collect: () => collect({ type: 'major', execution: 'async', flavor: 'last-resort' }),
  });
  setInterval(() => void look(), everyMs).unref();
}
