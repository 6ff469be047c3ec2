import { expect, it } from 'vitest';

import { startServer } from '#test/support/server.ts';
import { mirror, readBare, startSource } from './mirror-site/world.ts';

it('copies', async () => {
  await using source = await startSource({ demo: true });
  await using target = await startServer({ site: { compatibility: true } });
  console.time('mirror');
  const report = await mirror(target, source);
  console.timeEnd('mirror');
  console.log(JSON.stringify({ ...report, missing: report.missing.slice(0, 10), notes: report.notes.slice(0, 10), kept: report.kept.slice(0,10) }, null, 1));
  console.time('again');
  const again = await mirror(target, source);
  console.timeEnd('again');
  console.log(JSON.stringify({ ...again, missing: again.missing.slice(0, 10), notes: again.notes.length }, null, 1));
  const list = (await source.admin.call('GET', '/guides?includePrivate=true&limit=200')).body as { guideid: number }[];
  let different = 0;
  for (const { guideid } of list) {
    const [a, b] = await Promise.all([readBare(source.server, `/guides/${guideid}`), readBare(target, `/guides/${guideid}`)]);
    if (JSON.stringify(a) !== JSON.stringify(b) && (different += 1) <= 4) expect.soft(b, `guide ${guideid}`).toEqual(a);
  }
  console.log('different', different, 'of', list.length);
});
