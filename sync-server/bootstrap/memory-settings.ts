/**
 * Settings under which the memory of a large request goes back to the system (ST9). glibc (mallopt(3)) otherwise keeps
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
