#!/usr/bin/env node
import { text } from 'node:stream/consumers';

import { runCli } from './cli/program.ts';

// Whoever reads the output may have seen enough (`| head`); the command still does what it was asked.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  ...(process.stderr.isTTY ? { screen: process.stderr } : {}),
  input: () => text(process.stdin),
});
