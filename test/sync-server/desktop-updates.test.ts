import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { makeSigningKey, publishUpdate, readSigningKey } from '#desktop/build/update-signing.ts';
import { updatesFolder } from '#server/features/desktop-updates/folder.ts';
import { type Ran, runCommand } from '#test/support/command-line.ts';
import { RawHttp } from '#test/support/raw-http.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const key = readSigningKey(makeSigningKey());
let server: TestServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  server = await startServer();
  folder = await temporaryFolder('desktop-updates');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const archive = (version: string): string => `benchbook-desktop-${version}-linux-x64.tar.gz`;
const bytesOf = (version: string): string => `the package of ${version}. `.repeat(50_000);

/** A folder with a signed update. */
async function signed(version: string): Promise<string> {
  const from = join(folder.path, `packages-${version}`);
  const to = join(folder.path, `update-${version}`);
  await mkdir(from, { recursive: true });
  await writeFile(join(from, archive(version)), bytesOf(version));
  await writeFile(join(from, 'notes.txt'), 'not a package');
  await publishUpdate(to, {
    artefacts: from,
    keys: [key],
    releasedAt: Date.parse('2026-05-04'),
    expiresAt: Date.parse('2026-08-02'),
  });
  return to;
}

const add = (from: string): Promise<Ran> => runCommand(['updates', 'add', from, '--data', server.dataDir]);
const get = (name: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}/desktop/updates/${name}`, { headers });

// Each test continues with what the one before published.
describe('updates of the desktop app on the server', { shuffle: false }, () => {
  it('UPDATE-21 has none at first', async () => {
    expect((await get('update.json')).status).toBe(404);
  });

  it('UPDATE-22 publishes what the publisher signed', async () => {
    const ran = await add(await signed('0.2.0'));
    expect(ran).toEqual({
      code: 0,
      out: `Version 0.2.0 is published: ${archive('0.2.0')}.\nApps install it until 2026-08-02T00:00:00.000Z.`,
      err: '',
    });
    const file = await readFile(join(folder.path, 'update-0.2.0/update.json'), 'utf8');
    expect(await (await get('update.json')).text()).toBe(file);
    expect(await (await get(archive('0.2.0'))).text()).toBe(bytesOf('0.2.0'));
  });

  it('UPDATE-21 serves parts, and nothing twice', async () => {
    const name = archive('0.2.0');
    const whole = await get(name);
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    expect(whole.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect((await get(name, { 'If-None-Match': etag })).status).toBe(304);
    const part = await get(name, { Range: 'bytes=1000000-' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe('bytes 1000000-1099999/1100000');
    expect(await part.text()).toBe(bytesOf('0.2.0').slice(1_000_000));
  });

  it('UPDATE-21 no address leads to another file', async () => {
    await writeFile(join(updatesFolder(server.dataDir), '.hidden'), 'secret');
    await writeFile(join(updatesFolder(server.dataDir), 'next.deb.part'), 'secret');
    await mkdir(join(updatesFolder(server.dataDir), 'folder'));
    using raw = new RawHttp(server.url, 1);
    for (const name of [
      '../benchbook.sqlite',
      '..%2fbenchbook.sqlite',
      '%2e%2e%2fbenchbook.sqlite',
      '..%5cbenchbook.sqlite',
      '.hidden',
      'next.deb.part',
      'folder',
      'folder/..',
      '%00update.json',
      'update.json%00',
      '',
    ]) {
      const { statusCode, body } = await raw.send({
        method: 'GET',
        url: `/desktop/updates/${name}`,
        headers: {},
      });
      expect([name, statusCode >= 400 && statusCode < 500]).toEqual([name, true]);
      expect(body).not.toMatch(/SQLite|secret/);
    }
    await rm(join(updatesFolder(server.dataDir), 'folder'), { recursive: true });
  });

  it('UPDATE-22 refuses what is not a whole update or an older version, and changes nothing', async () => {
    const changed = await signed('0.3.0');
    await writeFile(join(changed, archive('0.3.0')), bytesOf('0.3.0').replace('0.3.0', '0.3.1'));
    const missing = await signed('0.4.0');
    await rm(join(missing, archive('0.4.0')));
    const odd = join(folder.path, 'odd');
    await mkdir(odd);
    await writeFile(join(odd, 'update.json'), '{"manifest":"{}","signatures":[]}');
    const older = await signed('0.1.0');
    for (const [from, sentence] of [
      [folder.path, 'There is no update in'],
      [odd, 'There is no update in'],
      [changed, `${archive('0.3.0')} is missing or is not the package`],
      [missing, `${archive('0.4.0')} is missing or is not the package`],
      [older, 'Version 0.2.0 is published already'],
    ] as const) {
      const { code, err } = await add(from);
      expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
    }
    expect((await (await get('update.json')).text()).includes('0.2.0')).toBe(true);
    expect(await (await get(archive('0.2.0'))).text()).toBe(bytesOf('0.2.0'));
  });

  it('UPDATE-22 a later update replaces the packages of the one before', async () => {
    expect((await add(await signed('0.10.0'))).code).toBe(0);
    expect(await readdir(updatesFolder(server.dataDir))).toEqual([archive('0.10.0'), 'update.json']);
    expect((await get(archive('0.2.0'))).status).toBe(404);
  });
});
