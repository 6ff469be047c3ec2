import { argv } from 'node:process';

import { JobRunner } from '#server/jobs/runner.ts';
import { jobKinds } from '#server/features/job-kinds.ts';
import { openServices } from '#server/features/open-services.ts';

// Runs the waiting jobs of a data folder, and is killed after importing a number of guides.
const [dataDir = '', most = '1'] = argv.slice(2);
const services = await openServices({ dataDir, database: process.env['BENCHBOOK_DATABASE'] });
services.bus.listen(() => {
  void services.storage.reader
    .selectFrom('import_effects')
    .select('id')
    .where('kind', '=', 'guide')
    .execute()
    .then((rows) => {
      if (rows.length >= Number(most)) process.kill(process.pid, 'SIGKILL');
    });
});
const runner = new JobRunner(services, jobKinds);
await runner.start();
await runner.idle();
