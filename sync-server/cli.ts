#!/usr/bin/env node
import { processTerminal } from './cli/process.ts';
import { runCli } from './cli/program.ts';

process.exitCode = await runCli(process.argv.slice(2), processTerminal());
