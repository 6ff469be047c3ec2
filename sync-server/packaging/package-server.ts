/** `npm run package:server`: makes a tarball and a Debian package of the server, with Node.js and all packages. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { buildAppIfStale } from '#server/bootstrap/build-app.ts';

import { neededPackages } from './closure.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const own = resolve(here, '../..');

const usage = `npm run package:server -- [options]

  --from DIR      the project to pack, with everything installed (default: this one)
  --to DIR        where the packages go (default: artifacts)
  --version TEXT  version of the packages (default: that of package.json, with date and commit)
  --no-tarball    the Debian package alone
`;

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: own },
    to: { type: 'string', default: join(own, 'artifacts') },
    version: { type: 'string' },
    'no-tarball': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const projectFile = z.object({ version: z.string(), bin: z.object({ benchbook: z.string() }) });

/** Such as `0.1.0+202611260836.225bdb2a`: the date is for Debian's comparison, the commit for people. */
function versionOf(root: string, version: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  if (!existsSync(join(root, '.git'))) return version;
  const date = git('log', '-1', '--format=%cd', '--date=format:%Y%m%d%H%M');
  return `${version}+${date}.${git('log', '-1', '--format=%h', '--abbrev=8')}`;
}

/** A script that starts a program with the Node.js of the package, in whatever folder the package is. */
function launcher(program: string, options: string, variables: string): string {
  return `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")/..
${variables}exec "$here/node/bin/node" "$here/${program}"${options} "$@"
`;
}

function executable(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** Copies sources, the built app, the needed packages and Node.js into a folder. */
async function stage(root: string, to: string): Promise<void> {
  const { bin } = projectFile.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  if (root === own) await buildAppIfStale(root, (line) => void process.stdout.write(`${line}\n`));
  const isSource = (path: string): boolean => !/\/node_modules(\/|$)/.test(path.slice(root.length));
  for (const folder of ['shared', 'sync-server'])
    cpSync(join(root, folder), join(to, folder), { recursive: true, filter: isSource });
  const app = join(root, 'desktop/out/renderer');
  if (!existsSync(app)) throw new Error(`${app} is missing. Build the app first: npm run build`);
  cpSync(app, join(to, 'desktop/out/renderer'), { recursive: true });
  for (const name of ['package.json', 'LICENSE']) cpSync(join(root, name), join(to, name));
  for (const path of neededPackages(root, ['shared', 'sync-server']))
    cpSync(join(root, path), join(to, path), {
      recursive: true,
      dereference: true,
      filter: (file) =>
        !/\/node_modules\//.test(file.slice(join(root, path).length)) &&
        !/\.(?:c|cc|cpp|h|o|map)$/.test(file),
    });
  const node = join(own, 'node_modules/node/bin/node');
  mkdirSync(join(to, 'node/bin'), { recursive: true });
  cpSync(node, join(to, 'node/bin/node'), { dereference: true });
  executable(join(to, 'bin/benchbook'), launcher(bin.benchbook, '', ''));
  executable(
    join(to, 'bin/benchbook-server'),
    launcher(
      // Versions before 26 November 2026 start from `bootstrap`.
      ['sync-server/start.ts', 'sync-server/bootstrap/start.ts'].find((path) =>
        existsSync(join(root, path)),
      ) ?? '',
      ' --no-demo --no-open',
      'export BENCHBOOK_APP="$here/desktop/out/renderer"\n',
    ),
  );
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

function controlOf(version: string, kilobytes: number): string {
  return `Package: benchbook
Version: ${version}
Section: net
Priority: optional
Architecture: ${architectures[process.arch] ?? process.arch}
Maintainer: Benchbook <benchbook@localhost>
Depends: adduser, libc6 (>= 2.28), libstdc++6
Installed-Size: ${kilobytes}
Description: Repair guides, step forms and work orders, offline first
 The sync server of Benchbook with its app for browsers. It brings its own Node.js, runs as the account benchbook, and
 keeps its data in /var/lib/benchbook.
`;
}

function buildDebian(staged: string, work: string, to: string, version: string): string {
  const tree = join(work, 'debian');
  const lib = join(tree, 'usr/lib/benchbook');
  cpSync(staged, lib, { recursive: true });
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  symlinkSync('../lib/benchbook/bin/benchbook', join(tree, 'usr/bin/benchbook'));
  for (const [from, into] of [
    ['benchbook.service', 'usr/lib/systemd/system/benchbook.service'],
    ['benchbook.env', 'etc/benchbook/benchbook.env'],
  ] as const) {
    mkdirSync(dirname(join(tree, into)), { recursive: true });
    cpSync(join(here, from), join(tree, into));
  }
  const operate = join(own, 'docs/operate.md');
  mkdirSync(join(tree, 'usr/share/doc/benchbook'), { recursive: true });
  if (existsSync(operate)) cpSync(operate, join(tree, 'usr/share/doc/benchbook/operate.md'));
  cpSync(join(staged, 'LICENSE'), join(tree, 'usr/share/doc/benchbook/copyright'));
  const [kilobytes = '0'] = execFileSync('du', ['-sk', tree], { encoding: 'utf8' }).split('\t');
  mkdirSync(join(tree, 'DEBIAN'));
  writeFileSync(join(tree, 'DEBIAN/control'), controlOf(version, Number(kilobytes)));
  writeFileSync(join(tree, 'DEBIAN/conffiles'), '/etc/benchbook/benchbook.env\n');
  for (const name of ['preinst', 'postinst', 'prerm', 'postrm'])
    executable(
      join(tree, 'DEBIAN', name),
      readFileSync(join(here, 'debian', name), 'utf8').replaceAll('@VERSION@', version),
    );
  execFileSync('chmod', ['-R', 'go-w,a+rX', tree]);
  const file = join(to, `benchbook_${version}_${architectures[process.arch] ?? process.arch}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', tree, file], { stdio: 'ignore' });
  return file;
}

function buildTarball(staged: string, work: string, to: string, version: string): string {
  const name = `benchbook-server-${version}-${process.platform}-${process.arch}`;
  const tree = join(work, 'tar', name);
  cpSync(staged, tree, { recursive: true });
  for (const one of ['benchbook.service', 'benchbook.env']) cpSync(join(here, one), join(tree, one));
  const file = join(to, `${name}.tar.gz`);
  execFileSync('tar', ['-C', join(work, 'tar'), '--owner=0', '--group=0', '-czf', file, name]);
  return file;
}

async function main(): Promise<void> {
  if (values.help) return void process.stdout.write(usage);
  const root = resolve(values.from);
  const to = resolve(values.to);
  const { version } = projectFile.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const full = values.version ?? versionOf(root, version);
  const work = join(to, `packing-${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    const staged = join(work, 'staged');
    await stage(root, staged);
    const made = [
      buildDebian(staged, work, to, full),
      ...(values['no-tarball'] ? [] : [buildTarball(staged, work, to, full)]),
    ];
    for (const file of made) process.stdout.write(`${file}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

await main();
