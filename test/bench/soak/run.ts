/** Lets people work for half an hour: `npm run bench:soak -- --minutes 30 --people 8`. */
import { parseArgs } from 'node:util';

import { soak, soakTable } from './soak.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, people: { type: 'string', default: '8' } },
});
const rows = await soak({
  minutes: Number(values.minutes),
  people: Number(values.people),
  pauseMs: 150,
  stretches: 10,
});
process.stdout.write(`${soakTable(rows)}\n`);
