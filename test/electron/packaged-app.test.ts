import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest';

import { must } from '#shared/must.ts';
import { nodeTargetOf } from '#desktop/build/electron-binary.ts';
import { soon } from '#test/support/soon.ts';

import { debuggingAddress, packageDesktop, type PackagedApp, type Packages } from './support/packaged-app.ts';
import { rendererStatuses } from './support/processes.ts';

const root = join(import.meta.dirname, '../..');
const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const library = createRequire(builder.resolve('app-builder-lib'));

let packages: Packages | { missing: string };

/** The packages; tests do not run without them. */
function made(): Packages {
  if ('missing' in packages) throw new Error(packages.missing);
  return packages;
}

describe('the packaged desktop app', () => {
  beforeAll(async () => {
    packages = await packageDesktop();
    if ('missing' in packages)
      process.stderr.write(`\n*** THE PACKAGE WAS NOT TESTED: ${packages.missing}. ***\n\n`);
  });

  afterAll(async () => {
    if (!('missing' in packages)) await packages[Symbol.asyncDispose]();
  });

  beforeEach((context) => context.skip('missing' in packages));

  it('ELECTRON-32 UPDATE-23 the command says in one line what it packaged, with which Electron and where', () => {
    const { printed, electron } = made();
    const line = must(printed.trim().split('\n').at(-1), 'a line');
    expect(line).toMatch(/^Packaged Benchbook \d+\.\d+\.\d+ with Electron /);
    expect(line).toContain(electron.version);
    expect(line.includes('give it to nobody')).toBe(electron.isFallback);
    expect(line).toContain('unpacked');
    expect(line).toContain('which installs no updates, since no key is pinned');
  });

  it('ELECTRON-32 the command packages another Electron only if that was asked for', (context) => {
    context.skip(!made().electron.isFallback);
    const script = join(root, 'desktop/build/package-desktop.ts');
    const refused = spawnSync(process.execPath, [script, 'dir', '--to', made().writable('refused')], {
      encoding: 'utf8',
    });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/^Electron .+ could not be downloaded.+ --allow-fallback .+\n$/);
    expect(made().debian).toContain(`.electron-${made().electron.version}.deb`);
  });

  it('ELECTRON-30 the package contains the built app and nothing else', () => {
    const { listPackage, extractFile } = library('@electron/asar') as {
      listPackage: (archive: string, options: object) => string[];
      extractFile: (archive: string, path: string) => Buffer;
    };
    const archive = join(made().unpacked, 'resources/app.asar');
    const files = listPackage(archive, {}).filter((path) => /\.\w+$/.test(path));
    expect(files).toEqual(
      expect.arrayContaining(['/desktop/out/main/main.cjs', '/desktop/out/renderer/index.html']),
    );
    const meant =
      /^\/(?:package\.json|desktop\/out\/(?:(?:main\/(?:main|pin-worker)|preload\/preload)\.cjs|main\/update-keys\.json|icon\.png|renderer\/(?:index\.html|layers\.css|service-worker\.js|benchbook\.webmanifest|icon\.svg|assets\/[\w.-]+\.(?:js|css|svg|woff2))))$/;
    expect(files.filter((path) => !meant.test(path))).toEqual([]);
    expect(Object.keys(JSON.parse(extractFile(archive, 'package.json').toString()) as object)).toEqual(
      expect.not.arrayContaining(['dependencies', 'devDependencies', 'scripts', 'imports']),
    );
    expect(readdirSync(join(made().unpacked, 'resources'))).toEqual(['app.asar']);
    expect(readdirSync(made().unpacked)).toEqual(
      expect.arrayContaining(['sbom.cdx.json', 'THIRD-PARTY-LICENSES.txt', 'LICENSE.electron.txt']),
    );
  });

  it('ELECTRON-31 the built program has the fuses of electron-builder.yml', async () => {
    const { getCurrentFuseWire, FuseV1Options } = library('@electron/fuses') as {
      getCurrentFuseWire: (program: string) => Promise<Record<string, string | number>>;
      FuseV1Options: Record<string, number>;
    };
    const { getConfig } = builder('app-builder-lib/out/util/config/config') as {
      getConfig: (
        dir: string,
        file: string,
        given: null,
      ) => Promise<{ electronFuses: Record<string, boolean> }>;
    };
    const { electronFuses } = await getConfig(root, 'electron-builder.yml', null);
    const wire = await getCurrentFuseWire(made().program);
    const [on, off] = ['1', '0'].map((sign) => sign.charCodeAt(0));
    const read = Object.fromEntries(
      Object.keys(electronFuses).map((name) => {
        const value = wire[must(FuseV1Options[`${name[0]?.toUpperCase()}${name.slice(1)}`], name)];
        return [name, value === on ? true : value === off ? false : value];
      }),
    );
    expect(read).toEqual(electronFuses);
  });

  it('ELECTRON-33 UPDATE-13 opens its window on its own origin, shows its first screen, and has no Node', async () => {
    await using app = await made().open({ userData: made().writable('data') });
    expect(await app.page.evaluate(() => location.origin)).toBe('benchbook://app');
    await app.page.getByRole('heading', { level: 1 }).waitFor();
    expect(await app.page.title()).toMatch(/Benchbook$/);
    const reached = await app.page.evaluate(() => {
      const names = ['require', 'module', 'process', 'Buffer', 'global', '__dirname', 'electron'];
      return names.filter((name) => name in window);
    });
    expect(reached).toEqual([]);
    expect(await call(app, 'appInfo', [])).toMatchObject({ packaged: true });
    expect(await call(app, 'updateState', [0])).toMatchObject({ status: { phase: 'off' } });
    // Node.js 20 does not know this syntax.
    const { extractFile } = library('@electron/asar') as {
      extractFile: (archive: string, path: string) => Buffer;
    };
    const main = extractFile(join(made().unpacked, 'resources/app.asar'), 'desktop/out/main/main.cjs');
    expect(/\bawait using\b/.test(main.toString())).toBe(nodeTargetOf(made().electron.version) === 'node24');
  });

  it('ELECTRON-31 the program lets nobody in through the inspector or variables of Node', async () => {
    const marks = made().writable('marks');
    const script = join(marks, 'mark.cjs');
    writeFileSync(script, `require('node:fs').writeFileSync(process.env.MARK, 'in');`, { mode: 0o644 });
    const variables = (mark: string): Record<string, string> => ({
      MARK: join(marks, mark),
      ELECTRON_RUN_AS_NODE: '1',
      NODE_OPTIONS: `--require ${script}`,
    });
    // The same Electron without these fuses obeys.
    const control = made().start(made().electron.path, {
      userData: made().writable('data'),
      args: [script],
      env: variables('control'),
    });
    await control.ended;
    expect(existsSync(join(marks, 'control'))).toBe(true);

    await using app = await made().open({
      userData: made().writable('data'),
      args: ['--inspect=0', '--inspect-brk=0'],
      env: variables('packaged'),
    });
    await app.page.getByRole('heading', { level: 1 }).waitFor();
    expect(app.errors()).not.toContain('Debugger listening');
    expect(existsSync(join(marks, 'packaged'))).toBe(false);
  });

  it.each<[string, string[], Record<string, string>]>([
    ['--no-sandbox', ['--no-sandbox'], {}],
    ['ELECTRON_DISABLE_SANDBOX', [], { ELECTRON_DISABLE_SANDBOX: '1' }],
    ['--disable-seccomp-filter-sandbox', ['--disable-seccomp-filter-sandbox'], {}],
  ])('ELECTRON-24 does not open its window with %s, and says why', async (_, given, env) => {
    const userData = made().writable('data');
    const args = ['--remote-debugging-port=0', ...given];
    const started = made().start(made().program, { userData, args, env });
    try {
      await soon(() => started.errors()).toContain('Benchbook does not start without its sandbox');
      const { host } = new URL(await debuggingAddress(started));
      // The dialog occupies the main process until a person closes it, so only a program without one gives an answer.
      const pages = fetch(`http://${host}/json/list`, { signal: AbortSignal.timeout(5000) }).then((answer) =>
        answer.json(),
      );
      expect(await pages.catch(() => [])).toEqual([]);
      expect(rendererStatuses(userData)).toEqual([]);
    } finally {
      // A dialog waits for the person.
      started.process.kill('SIGKILL');
      await started.ended;
    }
  });

  it.each<[string, number, string[]]>([
    ['Benchbook cannot write to the folder of its data', 0o500, []],
    ['Benchbook cannot open so many files at once', 0o700, Array<string>(500).fill(`/${'x'.repeat(80)}.zip`)],
  ])('ELECTRON-88 ELECTRON-89 says why it does not start: %s', async (reason, mode, args) => {
    const userData = made().writable('data');
    chmodSync(userData, mode);
    const started = made().start(made().program, { userData, args });
    try {
      await soon(() => started.errors()).toContain(reason);
      expect(rendererStatuses(userData)).toEqual([]);
    } finally {
      // A dialog waits for the person.
      started.process.kill('SIGKILL');
      await started.ended;
    }
  });

  it('JOURNAL-2 the packaged app keeps the journal when it is killed', async () => {
    const userData = made().writable('data');
    const bytes = new TextEncoder().encode('x'.repeat(10_000));
    {
      await using first = await made().open({ userData });
      const lease = await call(first, 'journalOpen', ['e2e']);
      await call(first, 'journalAppend', [lease, 'segment-00000001', 0, bytes]);
      // The end of the block kills the program.
    }
    await using second = await made().open({ userData });
    const lease = await call(second, 'journalOpen', ['e2e']);
    expect(await call(second, 'journalRead', [lease, 'segment-00000001'])).toEqual(bytes);
  });

  it('ELECTRON-34 a second start hands its files to the first and ends', async () => {
    const userData = made().writable('data');
    const folder = made().writable('files');
    copyFileSync(join(root, 'test/fixtures/omanual/own/minimal-1.0.omanual'), join(folder, 'lamp.omanual'));
    // Without a keyring, a new device would first ask for a PIN.
    await using app = await made().open({ userData, args: ['--keep-key-in-file'] });
    await app.page.getByRole('heading', { level: 1 }).waitFor();
    const second = made().start(made().program, { userData, args: [join(folder, 'lamp.omanual')] });
    expect(await second.ended).toBe(0);
    await app.page.getByText('Removing Sample Lamp Cover').first().waitFor();
    expect(app.process.exitCode).toBeNull();
  });

  // Windows keeps a second process out by other means.
  it.skipIf(process.platform === 'win32')(
    'ELECTRON-90 a second start does not work with the data of the first when the lock was removed',
    async () => {
      const userData = made().writable('data');
      await using app = await made().open({ userData, args: ['--keep-key-in-file'] });
      await app.page.getByRole('heading', { level: 1 }).waitFor();
      for (const name of ['SingletonLock', 'SingletonSocket', 'SingletonCookie'])
        rmSync(join(userData, name), { force: true });
      const second = made().start(made().program, { userData });
      try {
        await soon(() => second.errors()).toContain('Benchbook is running already');
        expect(rendererStatuses(userData)).toHaveLength(1);
      } finally {
        // A dialog waits for the person.
        second.process.kill('SIGKILL');
        await second.ended;
      }
    },
  );

  describe('the Debian package', () => {
    it('ELECTRON-35 installs beside the server, and opens archives', (context) => {
      const { debian, installed } = debianPackage(context);
      const info = execFileSync('dpkg-deb', ['--info', debian], { encoding: 'utf8' });
      expect(info).toMatch(/^ Package: benchbook-desktop$/m);
      expect(info).toMatch(/^ Depends: .*libgtk-3-0.*libasound2.*libnss3.*libgbm1/m);
      // Nothing runs as root when it is installed or removed.
      expect(info).not.toMatch(/(?:pre|post)(?:inst|rm)/);

      const listed = contentsOf(debian);
      expect(listed.filter((line) => !/^\S+ root\/root /.test(line))).toEqual([]);
      const paths = listed.map((line) => line.split(/\s+/).slice(5).join(' '));
      const outside = paths.filter((path) => !path.startsWith('./opt/Benchbook/') && !path.endsWith('/'));
      expect(outside.map((path) => path.replace(/\d+x\d+/, 'SIZE'))).toEqual(
        expect.arrayContaining([
          './usr/bin/benchbook-desktop -> ../../opt/Benchbook/benchbook-desktop',
          './usr/share/applications/org.benchbook.desktop',
          './usr/share/mime/packages/benchbook-desktop.xml',
          './usr/share/icons/hicolor/SIZE/apps/benchbook-desktop.png',
          './usr/share/icons/hicolor/scalable/apps/benchbook-desktop.svg',
          './usr/share/doc/benchbook-desktop/copyright',
        ]),
      );
      // The server's package has the command `benchbook`.
      expect(paths.filter((path) => /^\.\/usr\/bin\/benchbook(?: |$)/.test(path))).toEqual([]);

      const entry = readFileSync(join(installed, 'usr/share/applications/org.benchbook.desktop'), 'utf8');
      expect(entry).toContain('Exec=/opt/Benchbook/benchbook-desktop %F\n');
      expect(entry).toContain('MimeType=application/x-omanual;\n');
      expect(entry).toContain('StartupWMClass=org.benchbook\n');
      const types = readFileSync(join(installed, 'usr/share/mime/packages/benchbook-desktop.xml'), 'utf8');
      expect(types).toContain('<mime-type type="application/x-omanual">');
      for (const ending of ['omanual', 'oman']) expect(types).toContain(`<glob pattern="*.${ending}"/>`);
    });

    it('ELECTRON-36 its sandbox needs no user namespaces', async (context) => {
      const { debian, installed } = debianPackage(context);
      expect(contentsOf(debian)).toContainEqual(
        expect.stringMatching(/^-rwsr-xr-x root\/root .* \.\/opt\/Benchbook\/chrome-sandbox$/),
      );
      // Only root can unpack a file that belongs to root.
      context.skip(statSync(join(installed, 'opt/Benchbook/chrome-sandbox')).uid !== 0);
      const userData = made().writable('data');
      await using app = await made().open({ userData, args: ['--disable-namespace-sandbox'] });
      await app.page.getByRole('heading', { level: 1 }).waitFor();
      const statuses = rendererStatuses(userData);
      expect(statuses.length).toBeGreaterThan(0);
      for (const status of statuses) expect(status).toMatch(/^Seccomp:\s*2$/m);
    });
  });
});

function debianPackage(context: TestContext): { debian: string; installed: string } {
  const { debian, installed } = made();
  if (debian === undefined || installed === undefined) return context.skip('dpkg-deb is not installed');
  return { debian, installed };
}

function contentsOf(debian: string): string[] {
  return execFileSync('dpkg-deb', ['--contents', debian], { encoding: 'utf8' }).trim().split('\n');
}

/** Calls the main process, as the page does; returns the result. */
async function call(app: PackagedApp, name: string, args: unknown[]): Promise<unknown> {
  const answer = await app.page.evaluate(async ([one, given]) => window.benchbook?.call(one, given), [
    name,
    args,
  ] as const);
  expect(answer).toMatchObject({ ok: true });
  return (answer as { result: unknown }).result;
}
