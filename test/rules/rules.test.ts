import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { ruleIds, testTitles } from '#test/support/test-titles.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const id = String.raw`[A-Z]+(?:-[A-Z]+)*-\d+(?:\.\d+)?`;
const inReadme = new RegExp(String.raw`^ *(?:-|\|) +(?:\*\*)?(${id})(?:\*\*)? `, 'gm');
const inComment = new RegExp(String.raw`^ *\* - (${id}) `, 'gm');

/**
 * The ids of the rules that a file states. In a README, a rule is a list item or a table row that begins with an id. In
 * source files, it is a line ` * - ID text` of a comment.
 */
function rulesIn(path: string): string[] {
  const pattern = path.endsWith('.md') ? inReadme : inComment;
  return [...readFileSync(join(root, path), 'utf8').matchAll(pattern)].map(([, found = '']) => found);
}

const isReadme = (path: string): boolean => /(?:^|\/)README\.md$/.test(path);

/** The files of the project in these folders. */
function filesIn(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name).replaceAll('\\', '/'),
      ),
    )
    .filter((path) => !path.includes('node_modules'));
}

const sources = ['desktop', 'shared', 'sync-server', 'test'];

function readmes(): string[] {
  return ['README.md', ...filesIn([...sources, 'docs']).filter(isReadme)];
}

function numberedRules(): { id: string; path: string }[] {
  return filesIn(sources)
    .filter((path) => isReadme(path) || (/\.tsx?$/.test(path) && !path.startsWith('test/')))
    .flatMap((path) => rulesIn(path).map((found) => ({ id: found, path })));
}

test('every rule that a README or a comment numbers has a test whose title begins with its id', () => {
  const rules = numberedRules();
  expect(rules.length).toBeGreaterThan(500);
  const shown = new Set(testTitles(join(root, 'test')).flatMap(({ title }) => ruleIds(title)));
  expect(
    rules.filter(({ id }) => !shown.has(id)),
    'Write a test of each of these rules, whose title begins with its id',
  ).toEqual([]);
});

test('no README has more than 1,500 words, so that it can be read in one go', () => {
  const lengths = readmes().map((path) => {
    const words = readFileSync(join(root, path), 'utf8').trim().split(/\s+/);
    return { path, words: words.length };
  });
  expect(
    lengths.filter(({ words }) => words > 1500),
    'Shorten these, or move rules into docstrings',
  ).toEqual([]);
});

/** The rows of SECURITY.md count as rules too. */
test('every id at the beginning of a title is that of a rule', () => {
  const known = new Set([...numberedRules().map((rule) => rule.id), ...rulesIn('SECURITY.md')]);
  const unknown = testTitles(join(root, 'test'))
    .flatMap(({ path, title }) => ruleIds(title).map((found) => ({ path, id: found })))
    .filter((found) => !known.has(found.id));
  expect(unknown, 'State the rule beside the code, or begin the title without an id').toEqual([]);
});

test('no two rules have the same id', () => {
  const repeated = [...Map.groupBy(numberedRules(), ({ id }) => id).values()].filter(
    (rules) => rules.length > 1,
  );
  expect(repeated, 'Give the newer rule the next free number of its area (git grep ID-)').toEqual([]);
});
