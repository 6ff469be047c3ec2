import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Settings under which the memory of a large request goes back to the system (START-9). glibc (mallopt(3)) otherwise keeps
 * blocks of up to 32 MB in its heaps once one was freed, and V8 lets its young generation grow by a hundred megabytes.
 * `npm run bench:hostile` measures under them: without them the server takes 200 to 300 MB more. With a smaller
 * threshold large writes take three times as long.
 */
export const memorySettings = {
  /** Options of Node.js. */
  flags: ['--max-semi-space-size=4'],
  /** Variables that glibc reads when a process starts; other systems ignore them. */
  variables: {
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TOP_PAD_: '0',
    MALLOC_TRIM_THRESHOLD_: '65536',
  },
} as const;

/** Says that the process runs under the settings already. */
const mark = 'BENCHBOOK_MEMORY_SETTINGS';

/**
 * Puts the same program, under the same process id, in the place of this process, with the settings. What the environment
 * says already counts. Windows cannot replace a process: there this does nothing.
 */
export function restartWithMemorySettings(): void {
  const { env, execPath, execArgv, argv, platform } = process;
  if (platform === 'win32' || process.execve === undefined || env[mark] !== undefined) return;
  const { flags, variables } = memorySettings;
  process.execve(execPath, [execPath, ...flags, ...execArgv, ...argv.slice(1)], {
    ...variables,
    ...env,
    [mark]: '1',
  });
}

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
 * One look at the memory of the process (START-10). V8 keeps the pages of garbage for itself, up to 200 MB of them, for as
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
