/** `npm run check:sync -- COMMAND…`: checks a client of the sync protocol (docs/sync-protocol.md). */
import { parseArgs } from 'node:util';

import { checkClient } from './conformance/check.ts';

const { values, positionals } = parseArgs({
  options: { only: { type: 'string', default: '' } },
  allowPositionals: true,
});
if (positionals.length === 0) {
  process.stderr.write('Usage: npm run check:sync -- [--only WORDS] -- COMMAND…\n');
  process.exit(2);
}
const failures = await checkClient(positionals, values.only, ({ name, failure }) => {
  process.stdout.write(
    `${failure === null ? 'ok    ' : 'FAILED'} ${name}${failure === null ? '' : `: ${failure}`}\n`,
  );
});
process.exit(failures === 0 ? 0 : 1);
