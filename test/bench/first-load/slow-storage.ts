/**
 * An initial load while somebody types, on a disk that is as it is, and on one that writes 2 MB/s and takes 20 ms for
 * each write: `node test/bench/first-load/slow-storage.ts` (README.md).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { must } from '#shared/must.ts';
import { startServer } from '#test/support/server.ts';

import { freshDevice } from '../browser.ts';
import { writeCorpus } from '../corpus.ts';
import { buildPage } from '../measure.ts';
import type { SlowDisk } from '../page/main.ts';

const { values } = parseArgs({ options: { guides: { type: 'string', default: '10000' } } });
const guides = Number(values.guides);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const disks: [string, SlowDisk | null][] = [
  ['the disk of this machine', null],
  ['a slow disk', { bytesPerMs: 2000, msPerWrite: 20 }],
];

const pageDir = mkdtempSync(join(tmpdir(), 'benchbook-bench-page-'));
try {
  await buildPage(pageDir);
  await using server = await startServer({ appDir: pageDir, checked: false });
  const author = await server.person('Author');
  await server.person('Reader');
  await writeCorpus(server, guides, author.userid);
  await server.packs.make();
  for (const [what, disk] of disks) {
    await using device = await freshDevice(server.url);
    const reader = ['reader@example.com', 'a long password'] as const;
    const { ms, longTasks, letters } = await device.measure('typingSync', ...reader, guides, disk);
    const sorted = letters.toSorted((a, b) => a - b);
    const p95 = must(sorted[Math.floor(sorted.length * 0.95)], 'a letter');
    say(
      [
        `${what}: ${(ms / 1000).toFixed(1)} s`,
        `${longTasks.length} tasks over 50 ms, the longest ${Math.max(0, ...longTasks).toFixed(0)} ms`,
        `${letters.length} letters saved, p95 ${p95.toFixed(0)} ms`,
      ].join('; '),
    );
  }
  say(`Load of the machine: ${must(loadavg()[0], 'a load').toFixed(1)}`);
} finally {
  rmSync(pageDir, { recursive: true, force: true });
}
