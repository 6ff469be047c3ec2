import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { benchGrinderWorld } from '#test/support/world.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

let server: TestServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The folder of somebody who uses the package and has nothing else of ours. */
let consumer: string;

beforeAll(async () => {
  folder = await temporaryFolder('client');
  consumer = join(folder.path, 'consumer');
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder.path], {
    cwd: root,
    shell: process.platform === 'win32',
  });
  const archive = must(packed.stdout.trim().split('\n').at(-1), 'the name of the archive');
  await mkdir(join(consumer, 'node_modules'), { recursive: true });
  await run('tar', ['-xzf', join(folder.path, archive), '-C', folder.path]);
  await rename(join(folder.path, 'package'), join(consumer, 'node_modules/benchbook'));
  await writeFile(join(consumer, 'package.json'), '{"type":"module"}');
  server = await startServer();
  await benchGrinderWorld(server);
}, 120_000);

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function runModule(name: string, code: string): Promise<string> {
  await writeFile(join(consumer, name), code);
  const { stdout } = await run(process.execPath, [name], {
    cwd: consumer,
    env: {
      ...process.env,
      BENCHBOOK_URL: server.url,
      BENCHBOOK_EMAIL: 'ana@example.com',
      BENCHBOOK_PASSWORD: 'a long password',
    },
  });
  return stdout.trim();
}

const packageFile = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  bin?: Record<string, string>;
  main?: string;
};
const readme = readFileSync(join(root, 'shared/api/README.md'), 'utf8');
const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
/** What each example of the README prints. */
const printed = [
  /^Signed in as Ana\nGuide \d+ has 1 step$/,
  /^Somebody made it Easy meanwhile; saving on top of that\nEasy: Change a worn bearing\.$/,
  /^1 public replacement guides$/,
  /^Picture \d+ is at \/igi\/….full\ninvalid: .+$/,
];

describe('the package, installed elsewhere', () => {
  test('P1 holds the client and its page, and none of the rest', async () => {
    const files = await readdir(join(consumer, 'node_modules/benchbook'), { recursive: true });
    expect(files).toContain(join('artifacts', 'client', 'client.js'));
    expect(files).toContain(join('shared', 'api', 'README.md'));
    // npm puts the programs of a package and its main file into it, whatever `files` says.
    const programs = Object.values(packageFile.bin ?? {}).map((path) => path.replace(/^\.\//, ''));
    const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));
    expect(sources.map((file) => file.split(sep).join('/'))).toEqual(programs);
    const others = files.filter((file) => /^(desktop|test)\b/.test(file) && /\.\w+$/.test(file));
    expect(others.filter((file) => file.split(sep).join('/') !== packageFile.main)).toEqual([]);
  });

  test.each(examples.map((code, index) => [index + 1, code] as const))(
    'P2 runs example %i of the README as it is written',
    async (number, code) => {
      expect(await runModule(`example-${number}.js`, code)).toMatch(must(printed[number - 1], 'its output'));
    },
  );

  test('P3 has an expectation for every example', () => {
    expect(examples).toHaveLength(printed.length);
  });

  test('P4 tells a TypeScript program what calls take and give', async () => {
    // The declarations name zod; a package manager would have installed it beside the client.
    symlinkSync(join(root, 'node_modules/zod'), join(consumer, 'node_modules/zod'));
    const program = `import { connect, each, type Guide } from 'benchbook/client';
const api = connect({ url: 'http://127.0.0.1:4020' });
const guide: Guide = await api.guides.read({ params: { guideid: 1 } });
const params = { guideid: guide.guideid };
const saved = await api.guides.patch({ params, revisionid: guide.revisionid, body: { title: 'x' } });
const title: string = saved.conflict ? saved.current.title : saved.value.title;
for await (const entry of each(api.workLog.list, { query: { limit: 5 } })) title.concat(entry.workorderid);
guide.colour; // wrong
saved.value; // wrong
await api.guides.patch({ params, body: {} }); // wrong
await api.guides.create({ body: { category: 'Bench Grinder', type: 'cooking' } }); // wrong
`;
    await writeFile(join(consumer, 'program.ts'), program);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const options =
      '--noEmit --strict --pretty false --module nodenext --moduleResolution nodenext --target es2022';
    const said = await run(process.execPath, [compiler, ...options.split(' '), 'program.ts'], {
      cwd: consumer,
    }).catch((error: { stdout: string }) => error);
    const lines = [...said.stdout.matchAll(/^program\.ts\((\d+),/gm)].map((match) => Number(match[1]));
    const wrong = program
      .split('\n')
      .flatMap((line, index) => (line.endsWith('// wrong') ? [index + 1] : []));
    expect([lines, said.stdout]).toEqual([wrong, expect.any(String)]);
  });
});
