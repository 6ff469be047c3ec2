#!/usr/bin/env node
import { text } from 'node:stream/consumers';

import { runCli } from './cli/program.ts';

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  input: () => text(process.stdin),
});
