#!/usr/bin/env node
import { restartInOneArena } from './one-arena.ts';
import { processTerminal } from './process.ts';
import { runCli } from './program.ts';

const args = process.argv.slice(2);
// What comes out of a data folder is for whoever asked for it; `omanual` works on files that are there already.
if (!args.includes('omanual')) process.umask(0o077);
// It draws pictures, one after another (CLI-14).
if (args.includes('omanual') && args.includes('convert')) restartInOneArena();
process.exitCode = await runCli(args, processTerminal());
