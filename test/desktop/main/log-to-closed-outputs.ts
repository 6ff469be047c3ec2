import { once } from 'node:events';

import { surviveClosedOutputs, writeLog } from '#desktop/main/log.ts';

// A program that logs after its outputs were closed. It tells its parent what happened.

const errors: string[] = [];
process.on('uncaughtException', (error) => errors.push(String(error)));
if (!process.argv.includes('unguarded')) surviveClosedOutputs(process);
process.send?.('started');
await once(process, 'message');
for (let line = 0; line < 10; line += 1) {
  writeLog('Nobody reads this');
  process.stdout.write('nor this\n');
  // The system reports a closed pipe in a later turn.
  await new Promise((resolve) => setTimeout(resolve, 1));
}
process.send?.(errors);
process.disconnect();
