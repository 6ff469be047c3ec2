import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { type Ran, runCommand } from '#test/support/command-line.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { validArchive } from '#test/support/valid-archive.ts';
import { benchGrinderWorld } from '#test/support/world.ts';

const run = (dataDir: string, args: string[]): Promise<Ran> => runCommand(['--data', dataDir, ...args]);

test('CLI-10 export writes an archive with or without private guides; import reads it, also while a server runs', async () => {
  await using folder = await temporaryFolder('archives');
  await using here = await startServer();
  const world = await benchGrinderWorld(here);
  const file = join(folder.path, 'all.omanual');
  const all = await run(here.dataDir, ['--json', 'export', file, '--site']);
  expect([all.code, all.err]).toStrictEqual([0, '']);
  expect(JSON.parse(all.out)).toMatchObject({ file, guides: 2 });
  await validArchive(new Uint8Array(readFileSync(file)));
  const open = await run(here.dataDir, ['--json', 'export', `${file}.open`, '--site', '--public']);
  expect(JSON.parse(open.out)).toMatchObject({ guides: 1 });
  await validArchive(new Uint8Array(readFileSync(`${file}.open`)));
  expect(readFileSync(`${file}.open`).includes('Secret lockout')).toBe(false);

  const spoken = await run(here.dataDir, ['export', `${file}.spoken`, '--site']);
  expect(spoken.out).toContain('site set address');
  const named = await run(here.dataDir, ['export', `${file}.named`, '--site', '--base', 'https://b.example']);
  expect(named.out).not.toContain('site set address');

  await using there = await startServer();
  await there.person('Ben', ['User', 'Author']);
  const dry = await run(there.dataDir, ['import', file, '--as', 'ben@example.com', '--dry-run']);
  expect([dry.code, dry.out]).toStrictEqual([
    0,
    expect.stringContaining('4 would be created, 0 would be changed, 0 would be skipped') as string,
  ]);
  const done = await run(there.dataDir, ['--json', 'import', file, '--as', 'ben@example.com']);
  expect(done.code).toBe(0);
  expect(JSON.parse(done.out)).toMatchObject({ state: 'done', report: { created: 4 } });
  const belt = await there.anonymous.guides.read({ params: { guideid: world.belt.guideid } });
  expect(belt.title).toBe(world.belt.title);
});

test('CLI-10 refusals exit with 1, unknown commands with 2', async () => {
  await using folder = await temporaryFolder('archives');
  await using server = await startServer();
  await server.person('Ben', ['User', 'Author']);
  await server.person('Eva', ['User']);
  const file = join(folder.path, 'words.omanual');
  await writeFile(file, 'Just words');
  const words = await run(server.dataDir, ['import', file, '--as', 'ben@example.com']);
  expect([words.code, words.out]).toStrictEqual([1, '']);
  expect(words.err).toContain('neither a ZIP package nor an XML document');
  expect((await run(server.dataDir, ['import', file, '--as', 'eva@example.com'])).code).toBe(1);
  expect((await run(server.dataDir, ['import', `${file}.none`, '--as', 'ben@example.com'])).code).toBe(1);
  const isFolder = await run(server.dataDir, ['import', folder.path, '--as', 'ben@example.com']);
  expect([isFolder.code, isFolder.err]).toStrictEqual([1, `${folder.path} is no file.`]);
  expect((await run(server.dataDir, ['export', file])).code).toBe(1);
  expect((await run(server.dataDir, ['export', file, '--site'])).code).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe('Just words');
  expect((await run(server.dataDir, ['import', file])).code).toBe(2);
});

test('CLI-12 export --html writes one page: of a guide, of a category, or of several guides behind a list', async () => {
  await using folder = await temporaryFolder('pages');
  await using server = await startServer();
  const { belt, lockout } = await benchGrinderWorld(server);
  const file = join(folder.path, 'page.html');
  const page = async (...args: string[]) => {
    const { code, out, err } = await run(server.dataDir, ['--json', 'export', file, '--html', ...args]);
    const text = readFileSync(file, 'utf8');
    expect([code, err]).toStrictEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ file, bytes: Buffer.byteLength(text), missing: 0 });
    expect(text).toMatch(/^<!doctype html>[^]*<\/body><\/html>$/);
    return { text, guides: (JSON.parse(out) as { guides: number }).guides };
  };
  const one = await page('--guide', String(belt.guideid));
  expect(one.guides).toBe(1);
  expect(one.text).toContain(`<h1>${belt.title}</h1>`);
  const spoken = await run(server.dataDir, ['export', file, '--html', '--guide', String(belt.guideid)]);
  expect(spoken.out).toContain('site set address');
  const category = await page('--category', 'Bench Grinder', '--base', 'https://bench.example/');
  expect(category.text).toContain('<h1>Bench Grinder</h1>');
  expect(category.text).toContain('https://bench.example/Guide/');
  expect([category.guides, category.text.includes('Secret lockout')]).toStrictEqual([2, true]);
  const open = await page('--category', 'Bench Grinder', '--public');
  expect([open.guides, open.text.includes('Secret lockout')]).toStrictEqual([1, false]);
  const several = await page('--guide', String(belt.guideid), String(lockout.guideid));
  for (const { guideid, title } of [belt, lockout]) {
    expect(several.text).toContain(`href="#guide-${guideid}"`);
    expect(several.text).toContain(`<h1>${title}</h1>`);
  }
  const site = await page('--site');
  expect([site.guides, site.text.match(/<article id="guide-/g)]).toMatchObject([2, { length: 2 }]);
});

test('CLI-12 a page that cannot be made exits with 1 and leaves the existing file', async () => {
  await using folder = await temporaryFolder('pages');
  await using server = await startServer();
  const { belt, lockout } = await benchGrinderWorld(server);
  const file = join(folder.path, 'page.html');
  await writeFile(file, 'before');
  const refusals = [
    [['--guide', '999999'], 1],
    [['--guide', String(lockout.guideid), '--public'], 1],
    [['--guide', String(belt.guideid), '--links'], 1],
    [['--category', 'No such thing'], 1],
    [[], 1],
    [['--guides', '1'], 2],
  ] as const;
  for (const [args, code] of refusals)
    expect(await run(server.dataDir, ['export', file, '--html', ...args])).toMatchObject({ code, out: '' });
  expect(readFileSync(file, 'utf8')).toBe('before');
  expect(readdirSync(folder.path)).toStrictEqual(['page.html']);
});
