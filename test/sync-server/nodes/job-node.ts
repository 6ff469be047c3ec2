/**
 * A node without HTTP in a process of its own: `node job-node.ts DATABASE FOLDER MODE`. It prints what it does.
 *
 * - `count`: runs jobs of the kind `count`. Each step writes a record and the cursor, and takes 50 ms.
 * - `die`: writes a record of which it notifies nobody.
 * - `hold`: stays in a write transaction until the parent writes to it.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { z } from 'zod';

import { must } from '#shared/must.ts';
import { contextForJob } from '#server/core/job.ts';
import { openServices } from '#server/features/open-services.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import { audienceOf } from '#server/storage/audiences.ts';
import { jobKind } from '#server/jobs/kind.ts';
import { JobRunner } from '#server/jobs/runner.ts';

const [, , database, dataDir, mode] = process.argv;
const services = await openServices({
  database: must(database, 'a database'),
  dataDir: must(dataDir, 'a folder'),
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const count = jobKind({
  kind: 'count',
  input: z.strictObject({ to: z.int() }),
  cursor: z.int(),
  result: z.strictObject({ counted: z.int() }),
  async run(job, own) {
    say(`runs job ${job.jobid} from ${job.cursor ?? 0}`);
    try {
      for (let at = (job.cursor ?? 0) + 1; at <= job.input.to; at += 1) {
        await job.pause();
        await wait(50);
        await contextForJob(own, null, async (ctx) => {
          const form = {
            stepid: 1,
            guideid: 1,
            form_revisionid: 1,
            fields: [],
            title: `node ${process.pid}`,
          };
          ctx.changes.put('stepForms', `${job.jobid}-${at}`, form, ['public']);
          await job.advance(ctx, at);
        });
      }
    } catch (error) {
      say(`ended by ${error instanceof Error ? error.name : String(error)}`);
      throw error;
    }
    return { counted: job.input.to };
  },
});

if (mode === 'count') {
  await new JobRunner(services, [count]).start();
  say('ready');
}
if (mode === 'die') {
  await contextForJob(services, null, async (ctx) => {
    const form = { stepid: 1, guideid: 1, form_revisionid: 1, fields: [], title: 'last words' };
    ctx.changes.put('stepForms', 'last-words', form, ['public']);
  });
  writeSync(1, 'dies\n');
  process.kill(process.pid, 'SIGKILL');
}
if (mode === 'hold') {
  await services.storage
    .write(ownOrigin(services), async (tx) => {
      // A new audience takes the lock of numbers, for which all others wait.
      await audienceOf(tx, ['user:4242', 'team:4242']);
      say('holds');
      await once(process.stdin, 'data');
    })
    .then(
      () => say('committed'),
      () => say('refused'),
    );
}
// Timers of a server do not keep its process alive.
setInterval(() => undefined, 1000);
