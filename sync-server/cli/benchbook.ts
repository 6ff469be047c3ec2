#!/usr/bin/env node
import { processTerminal } from './answers.ts';
import { runCli } from './program.ts';

const args = process.argv.slice(2);
// Files that leave the data folder are for the caller only. `omanual` works on files outside of it.
if (!args.includes('omanual')) process.umask(0o077);
if (args.includes('omanual') && args.includes('convert')) restartWithOneArena();
process.exitCode = await runCli(args, processTerminal());

/**
 * Replaces this process with the same program under the same process id, with one malloc arena for the whole process
 * instead of one for each thread (CLI-14): with several, drawing markers into pictures takes twice as much memory.
 * glibc reads the setting only when a process starts. Does nothing where the variable is already set, where Node.js
 * cannot replace a process (before 22.15), and on systems other than Linux.
 */
function restartWithOneArena(): void {
  const { platform, env, execPath, execArgv, argv } = process;
  if (platform !== 'linux' || env['MALLOC_ARENA_MAX'] !== undefined) return;
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, MALLOC_ARENA_MAX: '1' });
}
