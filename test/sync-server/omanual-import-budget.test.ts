import { monitorEventLoopDelay } from 'node:perf_hooks';

import { expect, test } from 'vitest';

import { ArchiveReading } from '#server/features/omanual/import/reading.ts';
import { imported } from '#test/support/archive-calls.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { guideDocument, stepDocument } from '#test/shared/formats/omanual/opened.ts';

const megabyte = 1024 * 1024;

/** What an import of `bytes` ends with, and what it costs the process of the server. */
async function cost(server: TestServer, bytes: Uint8Array) {
  const ana = await server.person('Ana', ['User', 'Author']);
  // The first import loads code.
  await imported(server, ana, Buffer.from(guideDocument()), { filename: 'first.xml' });
  const before = process.memoryUsage().rss;
  let added = 0;
  const watch = setInterval(() => {
    added = Math.max(added, process.memoryUsage().rss - before);
  }, 20);
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  const { state, error, report } = await imported(server, ana, bytes, {
    filename: 'hostile.xml',
    dry_run: true,
  });
  delays.disable();
  clearInterval(watch);
  return { state, said: JSON.stringify(error), report, added, pause: delays.max / 1e6 };
}

const introduction = (html: string): string =>
  guideDocument().replace('<introduction/>', `<introduction>${html}</introduction>`);

const hostile: [string, () => string | Uint8Array, RegExp | null][] = [
  ['escaped signs', () => introduction('&amp;lt;'.repeat(1_600_000)), /text that is too long/],
  ['paragraphs', () => introduction('<p>x</p>'.repeat(59_000)), null],
  [
    'lines',
    () =>
      guideDocument(stepDocument('<line bullet="black" level="0">Turn <em>it</em> on</line>'.repeat(16_000))),
    null,
  ],
];

test.each(hostile)(
  'OMANUAL-IMPORT-16 reading %s neither stops the server nor takes its memory',
  async (_, content, refused) => {
    await using server = await startServer();
    const made = content();
    const bytes = typeof made === 'string' ? Buffer.from(made) : made;
    const { state, said, added, pause } = await cost(server, bytes);
    if (refused === null) expect([state, said]).toEqual(['done', 'null']);
    else expect(said).toMatch(refused);
    expect(added).toBeLessThan(200 * megabyte);
    // The client in this process takes some of it.
    expect(pause).toBeLessThan(1500);
  },
);

test('OMANUAL-IMPORT-16 an archive beyond the budget is refused with a sentence, and the next one is read', async () => {
  await using server = await startServer({ archiveReading: new ArchiveReading({ ms: 400 }) });
  const { state, said } = await cost(server, Buffer.from(introduction('<p>x</p>'.repeat(59_000))));
  expect([state, said]).toEqual(['failed', expect.stringContaining('takes more time or memory to read')]);
  const ben = await server.person('Ben', ['User', 'Author']);
  const next = await imported(server, ben, Buffer.from(guideDocument()), { filename: 'next.xml' });
  expect([next.state, next.error]).toEqual(['done', null]);
});
