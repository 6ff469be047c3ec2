import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { createClient } from '#shared/api/client.ts';
import { setup as setupTable } from '#shared/api/setup.ts';
import { tokens } from '#shared/api/tokens.ts';
import { runCli } from '#server/cli/program.ts';
import { readConfig, usage } from '#server/platform/config.ts';
import { startServer as startProgram, type Running } from '#server/main.ts';
import type { WantedBackup } from '#server/features/setup/setup.ts';
import { makeGuide } from '#test/support/workshop.ts';
import { onlySqlite } from '#test/support/only-sqlite.ts';
import { startServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';

const site = {
  title: 'North plant',
  username: 'Ada',
  email: 'ada@example.com',
  password: 'a long password',
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'benchbook-setup-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const clientOf = (url: string) => createClient({ setup: setupTable, tokens }, { baseUrl: url });

async function benchbook(...args: string[]): Promise<{ code: number; err: string }> {
  const err: string[] = [];
  const terminal = { env: {}, out: () => undefined, err: (line: string) => void err.push(line) };
  const code = await runCli(args, { ...terminal, input: async () => '' });
  return { code, err: err.join('\n') };
}

/** A folder of backups of a site with one guide and an administrator. */
async function backedUpSite(...options: string[]): Promise<string> {
  const data = join(root, 'original');
  {
    await using server = await startServer({ dataDir: data, site: { title: 'South plant' } });
    await server.category('Bench Grinder');
    const ana = { ...(await server.person('Ana', ['User', 'Admin'])), url: server.url };
    await makeGuide(ana);
  }
  const folder = join(root, 'backups');
  expect((await benchbook('backup', folder, '--data', data, ...options)).code).toBe(0);
  return folder;
}

interface Started extends AsyncDisposable {
  running: Running;
  said: string[];
  code: string;
}

async function startEmpty(...args: string[]): Promise<Started> {
  const said: string[] = [];
  const config = readConfig(['--no-demo', '--port', '0', '--data', join(root, 'data'), ...args], {});
  if (config === null) throw new Error('no settings');
  const running = await startProgram(config, { say: (line) => void said.push(line) });
  const [, code = ''] = /enter the code (\S+)$/m.exec(said.join('\n')) ?? [];
  return { running, said, code, [Symbol.asyncDispose]: () => running.stop() };
}

test('SETUP-1 --no-demo says how the first administrator is made, in the help and at the start', async () => {
  const help = usage.replaceAll(/\s+/g, ' ');
  expect(help).toMatch(/--no-demo .*an address and a code, with which to make the first administrator\./);
  expect(help).toContain('benchbook user create --name NAME --email ADDRESS --admin');
  await using started = await startEmpty();
  expect(started.said.join('\n')).toMatch(
    /no administrator yet\. To set it up .*\/setup and enter the code \S+$/m,
  );
});

test('SETUP-1 SETUP-2 the code makes a site and its first administrator, once', async () => {
  await using server = await startServer();
  const { setup, tokens: sessions } = clientOf(server.url);
  const { code } = server.services.setup;
  expect(await setup.read({})).toEqual({ needed: true, restoring: false });
  const { userid } = await setup.begin({ body: { ...site, code: ` ${code.toUpperCase()} ` } });
  expect(await setup.read({})).toEqual({ needed: false, restoring: false });
  expect(server.services.site).toMatchObject({ name: 'North plant', title: 'North plant' });
  const session = await sessions.create({ body: { email: site.email, password: site.password } });
  expect(session).toMatchObject({ userid, privileges: ['User', 'Admin'] });
  await expect(setup.begin({ body: { ...site, code } })).rejects.toMatchObject({
    status: 403,
    message: 'This server has been set up already. Sign in instead',
  });
});

test('SETUP-1 of two people who set up a server at the same moment, one does', async () => {
  await using server = await startServer();
  const { setup } = clientOf(server.url);
  const { code } = server.services.setup;
  const begun = await Promise.allSettled(
    ['ada', 'bea'].map((name) => setup.begin({ body: { ...site, email: `${name}@example.com`, code } })),
  );
  expect(begun.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const people = await server.services.storage.reader.selectFrom('users').select('email').execute();
  expect(people).toHaveLength(1);
});

onlySqlite('backup')(
  'SETUP-2 without the code nothing is set up, listed or restored, also on a private site',
  async () => {
    const folder = await backedUpSite();
    await using server = await startServer({ site: { private: true } });
    const { setup } = clientOf(server.url);
    const code = 'aaaa-aaaa-aaaa';
    const refused = { status: 403, message: expect.stringContaining('The code is wrong') as string };
    await expect(setup.begin({ body: { ...site, code } })).rejects.toMatchObject(refused);
    await expect(setup.listBackups({ body: { folder, code } })).rejects.toMatchObject(refused);
    await expect(setup.restore({ body: { folder, code, backup: 'x' } })).rejects.toMatchObject(refused);
    expect(await setup.read({})).toEqual({ needed: true, restoring: false });
  },
);

test('SETUP-2 a person who signs up by themselves does not end the setup, a kiosk does not either', async () => {
  await using server = await startServer();
  await server.person('Tom');
  await server.person('Station', ['User', 'Kiosk', 'Admin']);
  const { setup } = clientOf(server.url);
  expect(await setup.read({})).toMatchObject({ needed: true });
  await server.person('Ada', ['User', 'Admin']);
  expect(await setup.read({})).toMatchObject({ needed: false });
});

onlySqlite('backup')(
  'SETUP-3 the backups of a folder are listed, and one is handed to the program that restores it',
  async () => {
    const folder = await backedUpSite();
    await using server = await startServer();
    const { setup } = clientOf(server.url);
    const { setup: first } = server.services;
    const { code } = first;
    const asked: WantedBackup[] = [];
    const found = await setup.listBackups({ body: { folder, code } });
    expect(found).toMatchObject({
      folder,
      failure: null,
      older: 0,
      encrypted: false,
      backups: [{ site: 'South plant' }],
    });
    const backup = found.backups[0]?.name ?? '';
    await expect(setup.restore({ body: { folder, code, backup } })).rejects.toMatchObject({ status: 403 });
    first.host = { folder, key: undefined, failure: null, restore: (wanted) => void asked.push(wanted) };
    await expect(setup.restore({ body: { code, backup: 'x' } })).rejects.toMatchObject({ status: 422 });
    expect(await setup.restore({ body: { code, backup } })).toEqual({ needed: true, restoring: true });
    expect(asked).toEqual([{ folder, key: undefined, backup }]);
    await expect(setup.restore({ body: { code, backup } })).rejects.toMatchObject({ status: 403 });
    expect(await setup.read({})).toEqual({ needed: true, restoring: true });
  },
);

test.each([
  ['no folder', {}, 'Enter the folder of the backups'],
  ['a folder that is not there', { folder: '/nowhere' }, 'There is no folder /nowhere'],
  ['a folder without backups', { folder: import.meta.dirname }, 'There are no backups in'],
  ['a key that is not there', { folder: import.meta.dirname, key: '/nowhere.key' }, '/nowhere.key'],
])('SETUP-3 %s is named', async (_, source, message) => {
  await using server = await startServer();
  const { setup } = clientOf(server.url);
  await expect(
    setup.listBackups({ body: { ...source, code: server.services.setup.code } }),
  ).rejects.toMatchObject({
    status: 422,
    details: { errors: [{ field: 'folder', message: expect.stringContaining(message) as string }] },
  });
});

onlySqlite('backup')(
  'SETUP-3 an empty server restores a backup, encrypted or not, and goes on with it at the same address',
  async () => {
    const key = join(root, 'key');
    expect((await benchbook('backup-key', key)).code).toBe(0);
    const folder = await backedUpSite('--key', key);
    await using started = await startEmpty('--backup', folder, '--backup-key', key);
    const { url } = started.running;
    const { setup } = clientOf(url);
    const { code } = started;
    const { backups, encrypted } = await setup.listBackups({ body: { code } });
    expect(encrypted).toBe(true);
    await setup.restore({ body: { code, backup: backups[0]?.name ?? '' } });
    await soon(() => setup.read({}).catch(() => null)).toEqual({ needed: false, restoring: false });
    const info = (await (await fetch(`${url}/api/2.0/sites/info`)).json()) as { title: string };
    expect(info.title).toBe('South plant');
    const guides = (await (await fetch(`${url}/api/2.0/guides`)).json()) as unknown[];
    expect(guides).toHaveLength(1);
    expect(started.said.join('\n')).toContain('Benchbook is ready again');
  },
);

onlySqlite('backup')(
  'SETUP-3 after a restore that failed, the server is as empty as before and says why',
  async () => {
    const folder = await backedUpSite();
    rmSync(join(folder, 'objects'), { recursive: true });
    mkdirSync(join(folder, 'objects'));
    await using started = await startEmpty();
    const { setup } = clientOf(started.running.url);
    const { code } = started;
    const { backups } = await setup.listBackups({ body: { code, folder } });
    await setup.restore({ body: { code, folder, backup: backups[0]?.name ?? '' } });
    await soon(() => setup.read({}).catch(() => null)).toEqual({ needed: true, restoring: false });
    // The code is still the same.
    const { failure } = await setup.listBackups({ body: { code, folder } });
    expect(failure).toContain('Nothing was changed.');
    await setup.begin({ body: { ...site, code } });
    expect(await setup.read({})).toMatchObject({ needed: false });
  },
);

test('SETUP-1 a server with an administrator prints no code', async () => {
  {
    await using first = await startEmpty();
    await clientOf(first.running.url).setup.begin({ body: { ...site, code: first.code } });
  }
  await using again = await startEmpty();
  expect(again.code).toBe('');
});
