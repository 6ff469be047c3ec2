import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { ruleIds, testTitles } from '#test/support/test-titles.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The ids of the rules in a README: the start of a list item or of the first cell of a row. */
function rulesIn(text: string): string[] {
  const found = text.matchAll(/^ *(?:-|\|) +(?:\*\*)?([A-Z]+(?:-[A-Z]+)*-\d+(?:\.\d+)?)(?:\*\*)? /gm);
  return [...found].map(([, id = '']) => id);
}

function numberedRules(): { id: string; path: string }[] {
  return ['desktop', 'shared', 'sync-server', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => /(?:^|\/)README\.md$/.test(path) && !path.includes('node_modules'))
      .flatMap((path) => rulesIn(readFileSync(join(root, path), 'utf8')).map((id) => ({ id, path }))),
  );
}

test('every rule that a README numbers has a test whose title begins with its id', () => {
  const rules = numberedRules();
  expect(rules.length).toBeGreaterThan(500);
  const shown = new Set(testTitles(join(root, 'test')).flatMap(({ title }) => ruleIds(title)));
  expect(rules.filter(({ id }) => !shown.has(id))).toEqual([]);
});

test('no two rules have the same id', () => {
  const repeated = [...Map.groupBy(numberedRules(), ({ id }) => id).values()].filter(
    (rules) => rules.length > 1,
  );
  expect(repeated).toEqual([]);
});
