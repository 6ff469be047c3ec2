/** Measures sync beside its floors and beside plain replication: `npm run bench -- --guides 10000 --rounds 3`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { ensureBrowser } from '#test/support/browser.ts';

import { measureSync } from './measure.ts';
import { tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    guides: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    'no-wikitext': { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const pageDir = mkdtempSync(join(tmpdir(), 'benchbook-bench-page-'));
try {
  ensureBrowser(say);
  const figures = await measureSync({
    guides: Number(values.guides),
    rounds: Number(values.rounds),
    pageDir,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  say(tableOf(figures));
} finally {
  rmSync(pageDir, { recursive: true, force: true });
}
if (!values['no-wikitext']) {
  say('');
  await import('./wikitext.ts');
}
