import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { conformanceCases, writeConformance } from '#desktop/build/conformance/write-conformance.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const readme = new URL('../../../shared/formats/omanual/README.md', import.meta.url);

/** Refusals without a case: calls of the library cause them, or files that are larger than those of the suite. */
const notOfSmallFiles = ['missing', 'no-guide', 'no-guides', 'too-many-members'];

async function filesOf(folder: string): Promise<Map<string, Buffer>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  const files = names.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length), await readFile(path)] as const;
  });
  return new Map(await Promise.all(files));
}

test('CONFORM-1 the suite is the same whenever it is made, and its files are small', async () => {
  await using folder = await temporaryFolder('conformance');
  for (const name of ['one', 'two']) writeConformance(join(folder.path, name));
  const [one, two] = await Promise.all(['one', 'two'].map((name) => filesOf(join(folder.path, name))));
  expect(one).toEqual(two);
  const list = JSON.parse(String(one?.get('/cases.json')));
  expect(list.cases).toHaveLength(conformanceCases.length);
  expect(new Set(list.cases.map(({ file }: { file: string }) => file)).size).toBe(conformanceCases.length);
  const files = [...(one ?? [])].filter(([name]) => name.startsWith('/files/'));
  expect(files).toHaveLength(conformanceCases.length);
  expect(files.filter(([, { length }]) => length > 20_000).map(([name]) => name)).toEqual([]);
});

test('CONFORM-2 each code of a check and each refusal has a case', async () => {
  const text = await readFile(readme, 'utf8');
  const checking = text.slice(text.indexOf('## Checking'), text.indexOf('## Writing'));
  const refusals = text.slice(text.indexOf('Refusals:'), text.indexOf('## Checking'));
  const rows = refusals.split('\n').map((row) => row.split('|')[1] ?? '');
  const rules = checking.replaceAll(/`(?:check|schema)[\w-]*(?:\.ts)?`|`(?:error|warning)`/g, '');
  const codes = [rules, ...rows].flatMap((part) =>
    [...part.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code),
  );
  expect(codes.length).toBeGreaterThan(50);
  const covered = new Set([...conformanceCases.flatMap((one) => one.codes), ...notOfSmallFiles]);
  expect(codes.filter((code) => code !== undefined && !covered.has(code))).toEqual([]);
});
