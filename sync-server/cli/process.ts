import { text } from 'node:stream/consumers';

import type { Terminal } from './answers.ts';

/** The terminal that this process was started in. */
export function processTerminal(): Terminal {
  // Whoever reads the output may have seen enough (`| head`); the command still does what it was asked.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return {
    env: process.env,
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    ...(process.stderr.isTTY ? { screen: process.stderr } : {}),
    input: () => text(process.stdin),
  };
}
