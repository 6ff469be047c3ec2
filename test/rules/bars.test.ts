import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { ruleIds, testTitles } from '#test/support/test-titles.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Row {
  id: string;
  standing: string;
  shown: string;
}

/** The rows of docs/bars.md. */
function rows(page: string): Row[] {
  return page.split('\n').flatMap((line) => {
    const [, id, standing = '', shown = ''] = /^\| (U\d+) [^|]+\|([^|]*)\|([^|]*)\|$/.exec(line) ?? [];
    return id === undefined ? [] : [{ id, standing: standing.trim(), shown }];
  });
}

/** The tests of a row: a file, with the id of a rule or words of a title. */
function namedIn(shown: string): { path: string; what: string }[] {
  return [...shown.matchAll(/`(test\/[^`]+)`([^;[`]*)/g)].flatMap(([, path = '', names = '']) => {
    const found = [...names.matchAll(/[A-Z]+(?:-[A-Z]+)*-\d+|“[^”]+”/g)].map(([what]) => what);
    return found.length === 0 ? [{ path, what: '' }] : found.map((what) => ({ path, what }));
  });
}

/** The named tests that do not exist, and the figures that docs/figures.md does not have. */
function missingOf(page: string): string[] {
  const titles = Map.groupBy(
    testTitles(join(root, 'test')),
    ({ path }) => `test/${path.replaceAll('\\', '/')}`,
  );
  const figures = readFileSync(join(root, 'docs/figures.md'), 'utf8');
  return rows(page).flatMap(({ id, shown }) => {
    const tests = namedIn(shown).filter(({ path, what }) => {
      const all = (titles.get(path) ?? []).map(({ title }) => title);
      if (what.startsWith('“')) return !all.some((title) => title.includes(what.slice(1, -1)));
      return !all.flatMap((title) => ruleIds(title)).includes(what);
    });
    const numbers = [...shown.matchAll(/\d[\d,]* ms/g)].map(([number]) => number);
    return [
      ...tests.map(({ path, what }) => `${id}: ${path} ${what}`),
      ...numbers.filter((number) => !figures.includes(number)).map((number) => `${id}: ${number}`),
    ];
  });
}

test('every usability target has a row that says what shows it, or what is missing', () => {
  const all = rows(readFileSync(join(root, 'docs/bars.md'), 'utf8'));
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 21 }, (_, index) => `U${index + 1}`));
  expect(all.filter(({ standing }) => !/^(?:Met(?:$|[;, ])|(?:Partly|Not met): )/.test(standing))).toEqual(
    [],
  );
  expect(all.filter(({ shown }) => namedIn(shown).length === 0 && !shown.includes('figures.md'))).toEqual([]);
});

test('every test and figure that docs/bars.md names exists', () => {
  const page = readFileSync(join(root, 'docs/bars.md'), 'utf8');
  expect(rows(page).flatMap(({ shown }) => namedIn(shown)).length).toBeGreaterThan(60);
  expect(missingOf(page)).toEqual([]);
  const gone =
    '| U1 Speed | Met | `test/rules/gone.test.ts` FIND-1; `test/e2e/kiosk.test.ts` FIND-1, “nobody works”; 7 ms |\n';
  expect(missingOf(gone)).toEqual([
    'U1: test/rules/gone.test.ts FIND-1',
    'U1: test/e2e/kiosk.test.ts FIND-1',
    'U1: test/e2e/kiosk.test.ts “nobody works”',
  ]);
  expect(missingOf('| U2 Speed | Met | 123456 ms |')).toEqual(['U2: 123456 ms']);
});
