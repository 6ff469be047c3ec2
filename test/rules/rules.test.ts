import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { ruleIds, testTitles } from '#test/support/test-titles.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where the tests of a folder's rules lie, as beginnings of their paths, unless that is the same folder of `test`. */
const places: Readonly<Record<string, readonly string[]>> = {
  'desktop/engine': ['desktop/'],
  'shared/api': ['sync-server/'],
  'shared/sync': ['shared/sync/', 'sync-server/sync-protocols', 'desktop/engine/'],
  'shared/formats/wikitext': ['shared/formats/wikitext/', 'shared/model/'],
  'sync-server': ['sync-server/', 'bootstrap/'],
  'sync-server/features/training': ['sync-server/', 'e2e/hostile-module', 'e2e/training-modules'],
  'test/simulation': ['simulation/'],
};

function placesOf(folder: string): readonly string[] {
  for (let upper = folder; upper !== '.'; upper = dirname(upper)) {
    const found = places[upper];
    if (found !== undefined) return found;
  }
  return [folder.replace(/^test\//, '')];
}

/** The ids of the rules in a README: what a list item, or the first cell of a row, begins with. */
function rulesIn(text: string): Set<string> {
  const found = text.matchAll(/^ *(?:-|\|) +(?:\*\*)?([A-Z]+\d+(?:\.\d+)?)(?:\*\*)? /gm);
  return new Set([...found].map(([, id = '']) => id));
}

test('every rule that a README numbers has a test whose title begins with its id', () => {
  const folders = ['desktop', 'shared', 'sync-server', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?:^|\/)README\.md$/.test(name) && !name.includes('node_modules'))
      .map((name) => dirname(join(folder, name))),
  );
  const rules = folders.flatMap((folder) => {
    const ids = rulesIn(readFileSync(join(root, folder, 'README.md'), 'utf8'));
    return [...ids].map((id) => ({ folder, id, places: placesOf(folder) }));
  });
  expect(rules.length).toBeGreaterThan(500);
  const shown = Map.groupBy(
    testTitles(join(root, 'test')).flatMap(({ path, title }) => ruleIds(title).map((id) => ({ path, id }))),
    ({ id }) => id,
  );
  const untested = rules.filter((rule) => {
    const isThere = (path: string): boolean => rule.places.some((place) => path.startsWith(place));
    const files = new Set((shown.get(rule.id) ?? []).map(({ path }) => path).filter(isThere));
    // Where folders share their tests' place and an id, a file shows the rule of one of them.
    const namesakes = rules.filter(({ id, places: others }) => id === rule.id && others === rule.places);
    return files.size < Math.max(1, namesakes.length);
  });
  expect(untested.map(({ folder, id }) => `${folder}: ${id}`)).toEqual([]);
});
