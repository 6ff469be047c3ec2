import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { ruleIds, testTitles } from '#test/support/test-titles.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');

/** The tests named in a text: `file` and the following rule ids. */
function namedIn(text: string): { path: string; id: string }[] {
  return [...text.matchAll(/`(test\/[^`]+)`((?:,? [A-Z]+(?:-[A-Z]+)*-\d+)+)/g)].flatMap(
    ([, path = '', ids = '']) => [...ids.matchAll(/[A-Z-]+-\d+/g)].map(([id]) => ({ path, id })),
  );
}

/** The named tests that do not exist. */
function missingOf(text: string): string[] {
  const titles = Map.groupBy(
    testTitles(join(root, 'test')),
    ({ path }) => `test/${path.replaceAll('\\', '/')}`,
  );
  return namedIn(text)
    .filter(({ path, id }) => {
      const shown = (titles.get(path) ?? []).flatMap(({ title }) => ruleIds(title));
      return !existsSync(join(root, path)) || !shown.includes(id);
    })
    .map(({ path, id }) => `${path} ${id}`);
}

test('every test that SECURITY.md names exists, with a title that begins with its rule', () => {
  expect(namedIn(page).length).toBeGreaterThan(80);
  // Every path is followed by ids.
  const paths = [...page.matchAll(/`(test\/[^`]+\.ts)`/g)].map(([, path]) => path);
  expect(paths.filter((path) => !namedIn(page).some((one) => one.path === path))).toEqual([]);
  expect(missingOf(page)).toEqual([]);
  const gone =
    '`test/rules/gone.test.ts` ELECTRON-1; `test/desktop/main/packaging.test.ts` ELECTRON-19, ELECTRON-99';
  expect(missingOf(gone)).toEqual([
    'test/rules/gone.test.ts ELECTRON-1',
    'test/desktop/main/packaging.test.ts ELECTRON-99',
  ]);
});

test('SECURITY.md has a row for each promise, with tests or marked as open', () => {
  const rows = page.split('\n').flatMap((line) => {
    const [, id, words = '', tests = ''] = /^\| (SECURITY-\d+) *\|([^|]*)\|([^|]*)\|$/.exec(line) ?? [];
    return id === undefined ? [] : [{ id, isBacked: namedIn(tests).length > 0 || words.includes('Open') }];
  });
  const ids = Array.from({ length: 28 }, (_, index) => `SECURITY-${index + 1}`).filter(
    (id) => id !== 'SECURITY-26',
  );
  expect(rows.map(({ id }) => id)).toEqual(ids);
  expect(rows.filter(({ isBacked }) => !isBacked)).toEqual([]);
});
