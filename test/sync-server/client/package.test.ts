import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { conformanceCases } from '#desktop/build/conformance/write-conformance.ts';
import { must } from '#shared/must.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { benchGrinderWorld } from '#test/support/world.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

let server: TestServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The folder of a project that uses the package and nothing else of ours. */
let consumer: string;
/** The package file to install. */
let archive: string;

beforeAll(async () => {
  folder = await temporaryFolder('client');
  consumer = join(folder.path, 'consumer');
  const made = join(folder.path, 'package');
  await run(process.execPath, [join(root, 'desktop/build/build-package.ts'), made], { cwd: root });
  const packed = await npm(root, 'pack', made, '--silent', '--pack-destination', folder.path);
  archive = join(folder.path, must(packed.stdout.trim().split('\n').at(-1), 'the name of the archive'));
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), '{"type":"module"}');
  await npm(consumer, 'install', '--offline', '--no-audit', '--no-fund', archive);
  server = await startServer();
  await benchGrinderWorld(server);
});

function npm(cwd: string, ...args: string[]): Promise<{ stdout: string }> {
  return run('npm', args, { cwd, shell: process.platform === 'win32' });
}

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test('SUPPLY-4 SUPPLY-5 the package contains its bill of materials and licences', async () => {
  const files = await readdir(join(consumer, 'node_modules/benchbook'));
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'sbom.cdx.json', 'THIRD-PARTY-LICENSES.txt']));
});

/**
 * A module that takes away what Node 20, the oldest version that the package declares, does not have: its changelog lists
 * these functions under 21 and 22.
 */
const withoutNewer = `
const newer = [
  [Map, 'groupBy'], [Object, 'groupBy'], [Promise, 'withResolvers'], [Promise, 'try'], [Array, 'fromAsync'],
  [URL, 'parse'], [Response.prototype, 'bytes'], [Blob.prototype, 'bytes'], [RegExp, 'escape'],
  [ArrayBuffer.prototype, 'transfer'], [Uint8Array, 'fromBase64'], [Uint8Array.prototype, 'toBase64'],
  ...Object.getOwnPropertyNames(Iterator.prototype).filter((name) => name !== 'constructor')
    .map((name) => [Iterator.prototype, name]),
  ...['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom']
    .map((name) => [Set.prototype, name]),
];
for (const [owner, name] of newer) delete owner[name];
delete globalThis.Iterator;
delete globalThis.navigator;
delete globalThis.WebSocket;
`;

async function runModule(
  name: string,
  code: string,
  program = process.execPath,
  options: readonly string[] = [],
): Promise<string> {
  await writeFile(join(consumer, name), code);
  const { stdout } = await run(program, [...options, name], {
    cwd: consumer,
    env: {
      ...process.env,
      BENCHBOOK_URL: server.url,
      BENCHBOOK_EMAIL: 'ana@example.com',
      BENCHBOOK_PASSWORD: 'a long password',
      ARCHIVE: minimal,
    },
  });
  return stdout.trim();
}

const poor = join(root, 'test/fixtures/omanual/dita/guide_maintaining_a_database.xml');
const minimal = join(root, 'test/fixtures/omanual/own/minimal-1.0.omanual');

/** The expected output of each example in a README. */
const printed = {
  'api/README.md': [
    /^Signed in as Ana\nGuide \d+ has 1 step$/,
    /^Somebody made it Easy meanwhile; saving on top of that\nEasy: Change a worn bearing\.$/,
    /^1 public replacement guides$/,
    /^Picture \d+ is at \/igi\/….full\ninvalid: .+$/,
  ],
  'formats/omanual/README.md': [/^.+: \d+ steps, \d+ files\nAs version 1\.0: true$/],
  'formats/pages/README.md': [/^\d+ guides again, \d+ losses$/],
  'README.md': [/^$/],
};
const examples = Object.keys(printed).flatMap((page) => {
  const readme = readFileSync(join(root, 'shared', page), 'utf8');
  return [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((match, index) => ({
    page,
    index,
    code: match[1] ?? '',
  }));
});

describe('the page "Your first client"', () => {
  const page = readFileSync(join(root, 'docs/first-client.md'), 'utf8');
  const output =
    /^Signed in as Ana\nCreated guide \d+\nChanged: Change a worn bearing\.\nConflict: the guide now says Change a worn bearing\.\nRefused: 422 category$/;
  const codeIn = (language: string): string =>
    must(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1], `code in ${language}`);
  const hasPython = spawnSync('python3', ['--version']).status === 0;

  test('runs in TypeScript as written', async () => {
    expect(await runModule('first-client.ts', codeIn('ts'))).toMatch(output);
  });

  test('runs with curl as written', async () => {
    expect(await runModule('first-client.sh', codeIn('sh'), 'sh')).toMatch(output);
  });

  test.skipIf(!hasPython)(
    hasPython ? 'runs in Python as written' : 'in Python was NOT TESTED: python3 is not installed',
    async () => {
      expect(await runModule('first-client.py', codeIn('python'), 'python3')).toMatch(output);
    },
  );
});

describe('the package, installed in another project', () => {
  test('has no dependencies and is small', async () => {
    expect((await readdir(join(consumer, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
      'benchbook',
    ]);
    const files = await readdir(join(consumer, 'node_modules/benchbook'), { recursive: true });
    const names = files.map((file) => file.split(sep).join('/'));
    expect(names).toEqual(expect.arrayContaining(['client.js', 'omanual.js', 'benchbook.js', 'README.md']));
    expect(names.filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))).toEqual([]);
    expect((await stat(archive)).size).toBeLessThan(1_100_000);
  });

  test.each(examples.map((one) => [`${one.page} ${one.index + 1}`, one] as const))(
    'runs example %s as written',
    async (_, { page, index, code }) => {
      const output = must(printed[page as keyof typeof printed][index], 'its output');
      expect(await runModule(`${page.replaceAll('/', '-')}-${index}.js`, code)).toMatch(output);
    },
  );

  test.each(examples.map((one) => [`${one.page} ${one.index + 1}`, one] as const))(
    'runs example %s with what Node 20 has',
    async (_, { page, index, code }) => {
      const output = must(printed[page as keyof typeof printed][index], 'its output');
      await writeFile(join(consumer, 'as-node-20.js'), withoutNewer);
      const name = `${page.replaceAll('/', '-')}-${index}-on-20.js`;
      expect(await runModule(name, code, process.execPath, ['--import', './as-node-20.js'])).toMatch(output);
    },
  );

  test('checks an archive with findings, and names their places, with what Node 20 has', async () => {
    await writeFile(join(consumer, 'as-node-20.js'), withoutNewer);
    const checked = await run(
      process.execPath,
      ['--import', './as-node-20.js', 'node_modules/benchbook/benchbook.js', 'omanual', 'check', poor],
      { cwd: consumer },
    ).catch((error: { stdout: string; stderr: string }) => error);
    expect(checked.stderr).toBe('');
    expect(checked.stdout).toMatch(/ in guide\/.+ \(\d+:\d+\): /);
  });

  test('CONFORM-3 its checker gives the verdicts and codes of its conformance suite', async () => {
    const readme = readFileSync(join(consumer, 'node_modules/benchbook/conformance/README.md'), 'utf8');
    const example = must(/```js\n([\s\S]*?)```/.exec(readme)?.[1], 'the example');
    expect(await runModule('conformance.js', example)).toBe(`${conformanceCases.length} cases`);
    await writeFile(join(consumer, 'as-node-20.js'), withoutNewer);
    const options = ['--import', './as-node-20.js'];
    expect(await runModule('conformance.js', example, process.execPath, options)).toMatch(/^\d+ cases$/);
  });

  test('leads from its READMEs only to files in it', async () => {
    const installed = join(consumer, 'node_modules/benchbook');
    for (const page of [
      'README.md',
      'formats/omanual/README.md',
      'formats/pages/README.md',
      'conformance/README.md',
    ]) {
      const text = readFileSync(join(installed, page), 'utf8').replaceAll(/```[^]*?```/g, '');
      for (const [, path = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)\)/g))
        expect(existsSync(join(installed, dirname(page), path)), `${page}: ${path}`).toBe(true);
    }
  });

  test('has an expectation for every example', () => {
    expect(examples).toHaveLength(Object.values(printed).flat().length);
  });

  test('gives a TypeScript program the types of calls', async () => {
    const program = `import { connect, each, type Guide } from 'benchbook/client';
const api = connect({ url: 'http://127.0.0.1:4020' });
const guide: Guide = await api.guides.read({ params: { guideid: 1 } });
const params = { guideid: guide.guideid };
const saved = await api.guides.patch({ params, revisionid: guide.revisionid, body: { title: 'x' } });
const title: string = saved.conflict ? saved.current.title : saved.value.title;
for await (const entry of each(api.workLog.list, { query: { limit: 5 } })) title.concat(entry.workorderid);
await api.guides.read({ params, query: { unpatrolled: true } });
await api.guides.list({ query: { includePrivate: false } });
await api.guides.read({ params, query: { unpatrolled: false } }); // wrong
guide.colour; // wrong
saved.value; // wrong
await api.guides.patch({ params, body: {} }); // wrong
await api.guides.create({ body: { category: 'Bench Grinder', type: 'cooking' } }); // wrong
`;
    await expectComplaints(program);
  });

  test('gives a TypeScript program the types of archives', async () => {
    await expectComplaints(`import { ArchiveRefused, bytesSource, checkArchive, openArchive, type Archive } from 'benchbook/omanual';
const archive: Archive = await openArchive(bytesSource(new Uint8Array(8)), 'a.omanual');
for (const { member } of archive.entries) {
  const { facts, media } = await archive.guide(member);
  const title: string = facts.title;
  title.concat(String(facts.steps[0]?.stepid ?? media.length));
  facts.colour; // wrong
}
const [line] = await checkArchive(bytesSource(new Uint8Array(8)), 'a.omanual');
if (line?.rank === 'cooking') throw new Error(line.message); // wrong
await openArchive('a.omanual'); // wrong
throw new ArchiveRefused(1, 2); // wrong
`);
  });

  test('has the program benchbook omanual', async () => {
    const omanual = (...args: string[]) =>
      run(process.execPath, ['node_modules/benchbook/benchbook.js', 'omanual', ...args], {
        cwd: consumer,
      }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
      );
    const linked = await run('npx', ['--offline', 'benchbook', 'omanual', 'check', minimal], {
      cwd: consumer,
      shell: process.platform === 'win32',
    });
    expect(linked.stdout).toBe('');
    expect(await omanual('show', minimal)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Guide '),
    });
    expect(await omanual('convert', minimal, 'converted.omanual')).toMatchObject({ code: 0 });
    expect(await omanual('check', 'converted.omanual')).toEqual({ code: 0, stdout: '' });
    expect(await omanual('convert', minimal, 'page.md')).toMatchObject({ code: 0 });
    expect(await omanual('convert', 'page.md', 'page.omanual')).toMatchObject({ code: 0 });
    expect(await omanual('check', 'page.omanual')).toEqual({ code: 0, stdout: '' });
    expect(await omanual('unpack', 'converted.omanual', 'unpacked')).toMatchObject({ code: 0 });
    expect(await readdir(join(consumer, 'unpacked'))).toContain('category.xml');
    await writeFile(join(consumer, 'no.omanual'), 'nothing of the kind');
    const refused = await omanual('check', 'no.omanual');
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('no-omanual') });
    expect(await omanual('cook')).toMatchObject({ code: 2 });
  });
});

/**
 * Compiles a program strictly with only the package; the compiler must report errors exactly at the lines marked
 * `wrong`.
 */
async function expectComplaints(program: string): Promise<void> {
  await writeFile(join(consumer, 'program.ts'), program);
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const options =
    '--noEmit --strict --pretty false --module nodenext --moduleResolution nodenext --target es2022 --types';
  const said = await run(process.execPath, [compiler, ...options.split(' '), '', 'program.ts'], {
    cwd: consumer,
  }).catch((error: { stdout: string }) => error);
  const lines = [...said.stdout.matchAll(/^(\S+)\((\d+),/gm)].map((match) => [match[1], Number(match[2])]);
  const wrong = program
    .split('\n')
    .flatMap((line, index) => (line.endsWith('// wrong') ? [['program.ts', index + 1]] : []));
  expect([lines, said.stdout]).toEqual([wrong, expect.any(String)]);
}
