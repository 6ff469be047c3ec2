import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { isLongRun } from '#test/support/long-run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The first version that is packed for the test of upgrades: 22 November 2026, schema 35. */
const before = 'b7570e4';

let folder: string;
/** Debian packages by version. */
let packages: { old: string; now: string };

function run(command: string, args: string[], cwd = root): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Packs a project; returns the Debian package. */
function pack(from: string, version: string): string {
  const args = [
    'sync-server/packaging/package-server.ts',
    '--from',
    from,
    '--to',
    folder,
    '--no-tarball',
    '--version',
    version,
  ];
  return must(run(process.execPath, args).trim().split('\n').at(-1), 'a package');
}

/** A system of its own in a folder: `dpkg` installs there, and the scripts of packages run outside of it. */
class System {
  readonly root: string;

  constructor(name: string) {
    this.root = join(folder, name);
    mkdirSync(join(this.root, 'var/lib/dpkg/info'), { recursive: true });
    mkdirSync(join(this.root, 'var/lib/dpkg/updates'));
    writeFileSync(join(this.root, 'var/lib/dpkg/status'), '');
    writeFileSync(join(this.root, 'var/lib/dpkg/available'), '');
  }

  dpkg(...args: string[]): { status: number | null; text: string } {
    // Nothing else is installed there, not even what the package depends on.
    const options = [
      `--root=${this.root}`,
      '--force-script-chrootless',
      '--force-depends',
      '--log=/dev/null',
    ];
    const { status, stdout, stderr } = spawnSync('dpkg', [...options, ...args], { encoding: 'utf8' });
    return { status, text: stdout + stderr };
  }

  get data(): string {
    return join(this.root, 'var/lib/benchbook/data');
  }

  benchbook(...args: string[]): string {
    return run(join(this.root, 'usr/bin/benchbook'), args, folder);
  }

  /** Starts the installed server with nothing but what the package brings, looks at it, and stops it. */
  async serve(look: (url: string) => Promise<void>): Promise<void> {
    const port = await freePort();
    const server = spawn(
      join(this.root, 'usr/lib/benchbook/bin/benchbook-server'),
      ['--port', String(port)],
      {
        env: { PATH: '/usr/bin:/bin', HOME: folder, BENCHBOOK_DATA: this.data },
        stdio: 'ignore',
      },
    );
    const ended = new Promise((resolve) => server.once('exit', resolve));
    try {
      const url = `http://127.0.0.1:${port}`;
      await expect
        .poll(async () => (await fetch(`${url}/readyz`).catch(() => null))?.status, { timeout: 120_000 })
        .toBe(200);
      await look(url);
    } finally {
      server.kill('SIGTERM');
      await ended;
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => void probe.close(resolve));
  return port;
}

// Packing two versions takes minutes, so that only the long run does it. It needs Debian's dpkg.
describe.runIf(isLongRun)('the Debian package', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'benchbook-packages-'));
    const old = join(folder, 'old');
    run('git', ['worktree', 'add', '--detach', old, before]);
    run('npm', ['ci', '--no-audit', '--no-fund'], old);
    run('npm', ['run', 'build'], old);
    packages = { old: pack(old, '0.1.0+20261122'), now: pack(root, '0.1.0+20261126') };
  });
  afterAll(() => {
    run('git', ['worktree', 'remove', '--force', join(folder, 'old')]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('an installed server starts with nothing but its package, and serves the app', async () => {
    const system = new System('fresh');
    expect(system.dpkg('-i', packages.now)).toMatchObject({ status: 0 });
    expect(statSync(system.data).mode & 0o777).toBe(0o700);
    await system.serve(async (url) => {
      expect(await (await fetch(url, { headers: { Accept: 'text/html' } })).text()).toContain(
        '<title>Benchbook</title>',
      );
    });
    expect(system.benchbook('--help')).toContain('backup');
  });

  test('an upgrade backs up before the new version touches the data, and keeps everything', async () => {
    const system = new System('upgraded');
    expect(system.dpkg('-i', packages.old)).toMatchObject({ status: 0 });
    await system.serve(async () => undefined);
    const ana = ['--email', 'ana@example.com', '--name', 'Ana'];
    run(join(system.root, 'usr/bin/benchbook'), ['user', 'create', '--data', system.data, ...ana]);
    const schema = (data: string): number => {
      const database = new BetterSqlite3(join(data, 'benchbook.sqlite'), { readonly: true });
      try {
        return Number(database.prepare("SELECT value FROM meta WHERE name = 'schema_version'").pluck().get());
      } finally {
        database.close();
      }
    };
    const old = schema(system.data);
    const upgrade = system.dpkg('-i', packages.now);
    expect(upgrade).toMatchObject({ status: 0 });
    expect(upgrade.text).toContain('Backing up before the upgrade from 0.1.0+20261122');
    await system.serve(async () => undefined);
    expect(schema(system.data)).toBeGreaterThan(old);
    expect(system.benchbook('user', 'list', '--data', system.data)).toContain('ana@example.com');

    const refused = system.dpkg('-i', packages.old);
    expect(refused.status).not.toBe(0);
    expect(refused.text).toContain('The way back, with what was stored before the upgrade');

    // The way back, as the refusal says.
    const backups = join(system.root, 'var/backups/benchbook');
    const unpacked = join(system.root, 'var/lib/benchbook/before');
    system.benchbook('unpack-backup', backups, unpacked);
    expect(schema(unpacked)).toBe(old);
    expect(system.dpkg('--remove', 'benchbook')).toMatchObject({ status: 0 });
    expect(existsSync(join(system.data, 'benchbook.sqlite'))).toBe(true);
    rmSync(system.data, { recursive: true });
    run('mv', [unpacked, system.data]);
    expect(system.dpkg('-i', packages.old)).toMatchObject({ status: 0 });
    await system.serve(async () => undefined);
    expect(schema(system.data)).toBe(old);
  });

  test('a backup that fails stops the upgrade before the new version starts, with words', async () => {
    const system = new System('no-backup');
    expect(system.dpkg('-i', packages.old)).toMatchObject({ status: 0 });
    await system.serve(async () => undefined);
    rmSync(join(system.root, 'var/backups/benchbook'), { recursive: true });
    writeFileSync(join(system.root, 'var/backups/benchbook'), 'in the way');
    const upgrade = system.dpkg('-i', packages.now);
    expect(upgrade.status).not.toBe(0);
  });

  test('removing and purging leave the data and the backups', async () => {
    const system = new System('purged');
    expect(system.dpkg('-i', packages.now)).toMatchObject({ status: 0 });
    await system.serve(async () => undefined);
    const purged = system.dpkg('--purge', 'benchbook');
    expect(purged).toMatchObject({ status: 0 });
    expect(purged.text).toContain('The data is still in /var/lib/benchbook');
    expect(readdirSync(system.data)).toContain('benchbook.sqlite');
    expect(existsSync(join(system.root, 'usr/lib/benchbook'))).toBe(false);
    expect(existsSync(join(system.root, 'etc/benchbook'))).toBe(false);
  });
});

test('the unit hides everything from the server but its data and its backups', () => {
  const unit = readFileSync(join(root, 'sync-server/packaging/benchbook.service'), 'utf8');
  for (const line of [
    'User=benchbook',
    'ProtectSystem=strict',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'UMask=0077',
  ])
    expect(unit.split('\n')).toContain(line);
});
