import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Settings that return the memory of large requests to the system. Otherwise glibc (mallopt(3)) keeps blocks of up to
 * 32 MB in its heaps once one was freed, and the young generation of V8 grows by a hundred megabytes. `npm run
 * bench:hostile` measures with these settings; without them the server takes 200 to 300 MB more. With a smaller
 * threshold, large writes take three times as long.
 *
 * - START-9 On Linux and macOS the server runs with memory settings that return the memory of a large request to the
 *   system. Existing environment variables have precedence: set `MALLOC_ARENA_MAX`, `MALLOC_MMAP_THRESHOLD_`,
 *   `MALLOC_TOP_PAD_` or `MALLOC_TRIM_THRESHOLD_` for other values.
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

/** Environment variable that marks a process with these settings. */
const mark = 'BENCHBOOK_MEMORY_SETTINGS';

/**
 * Replaces this process with the same program and the memory settings, under the same process id. Does nothing on
 * Windows, which cannot replace a process.
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

/** Interval of memory checks, ms. */
const everyMs = 5000;
/** Below this size, bytes, nothing is done: a bit more than the server takes under usual load. */
const usualBytes = 350 * 1024 ** 2;

interface Memory {
  /** Current memory of the process, bytes. */
  taken(): number;
  /** Collects garbage, and releases memory that V8 keeps for reuse. */
  collect(): Promise<void>;
}

/**
 * Makes the memory check. V8 keeps freed pages, up to 200 MB, while requests keep coming; a full collection releases
 * them. What is still in use afterwards raises the limit.
 *
 * - START-10 While the process takes more than 350 MB, and more than one and a half times what it was found to need,
 *   the server collects garbage every 5 seconds and returns that memory to the system.
 */
export function memoryWatch(memory: Memory): () => Promise<void> {
  let most = usualBytes;
  return async () => {
    if (memory.taken() <= most) return;
    await memory.collect();
    most = Math.max(usualBytes, 1.5 * memory.taken());
  };
}

/** Checks the memory of this process regularly until it ends. */
export function watchMemory(): void {
  setFlagsFromString('--expose-gc');
  // V8 adds the function `gc` to new contexts only.
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
  const look = memoryWatch({
    taken: () => process.memoryUsage.rss(),
    collect: () => collect({ type: 'major', execution: 'async', flavor: 'last-resort' }),
  });
  setInterval(() => void look(), everyMs).unref();
}
