#!/usr/bin/env node
import { restartInOneArena } from './cli/one-arena.ts';
import { processTerminal } from './cli/process.ts';
import { runCli } from './cli/program.ts';

const args = process.argv.slice(2);
// It draws pictures, one after another (L14).
if (args.includes('omanual') && args.includes('convert')) restartInOneArena();
process.exitCode = await runCli(args, processTerminal());
