import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

const root = new URL('../../../../', import.meta.url);

/** The sources of a folder as one text; `which` selects files. */
function sources(folder: string, which: (name: string) => boolean = () => true): string {
  const names = readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.ts') && which(name));
  return names.map((name) => readFileSync(new URL(folder + name, root), 'utf8')).join('\n');
}

/** Codes of findings of the four kinds, or of refusals, in the sources. */
function codesIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, code = '']) => code))].toSorted();
}

/** `lost` reports what the simplified HTML cannot express. */
const finding = /(?:'(?:dropped|guessed|repaired|unresolved)',\s*(?:code: )?|\.lost\(\s*)'([a-z-]+)'/g;
const refusal = /(?:\brefuse|#refuse|new ArchiveRefused)\(\s*'([a-z-]+)'/g;

/** The codes in the first column of the table under a line of a README. */
function listed(readme: string, above: string): string[] {
  const text = readFileSync(new URL(readme, root), 'utf8');
  const from = text.indexOf(above);
  expect(from, above).toBeGreaterThan(-1);
  const table = /(?:^\|.*\n)+/m.exec(text.slice(from))?.[0] ?? '';
  const cells = table
    .split('\n')
    .slice(2)
    .map((line) => line.split('|')[1] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => code)).toSorted();
}

const writes =
  /^(?:write|media-folder|simplified-html|guide-document|step-elements|document-parts|category-document|addresses|convert)/;

test('OMANUAL-READ-13 the README lists exactly the findings of reading', () => {
  expect(
    codesIn(
      sources('shared/formats/omanual/', (name) => !writes.test(name)),
      finding,
    ),
  ).toEqual(listed('shared/formats/omanual/README.md', 'Findings (`kind`'));
});

test('OMANUAL-WRITE-5 the README lists exactly the findings of writing', () => {
  expect(
    codesIn(
      sources('shared/formats/omanual/', (name) => writes.test(name)),
      finding,
    ),
  ).toEqual(listed('shared/formats/omanual/README.md', 'Findings of the writing:'));
});

test('OMANUAL-READ-1 the README lists exactly the codes of refusals', () => {
  expect(codesIn(sources('shared/formats/omanual/'), refusal)).toEqual(
    listed('shared/formats/omanual/README.md', 'Refusals:'),
  );
});

test('OMANUAL-IMPORT-15 the README lists exactly the findings of an import', () => {
  const folders = ['sync-server/features/omanual/import/', 'sync-server/features/omanual/'];
  expect(codesIn(folders.map((one) => sources(one)).join('\n'), finding)).toEqual(
    listed('sync-server/features/omanual/README.md', 'Findings of an import'),
  );
});
