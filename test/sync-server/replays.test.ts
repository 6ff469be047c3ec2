import { globSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { auditWords } from '#desktop/renderer/text/audit.ts';
import { resources } from '#server/features/index.ts';
import { loadingForReplay } from '#server/http/call.ts';

const kinds = resources.flatMap(({ replays }) => Object.keys(replays));

/** The kinds that handlers name when they answer with a record. */
function namedKinds(): string[] {
  const files = globSync('sync-server/features/**/*.ts', { cwd: new URL('../..', import.meta.url).pathname });
  return files.flatMap((file) => {
    const code = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    return [...code.matchAll(/(?:respondWithRecord\(|\bmade\(\w+,)\s*'(\w+)'/g)].map(([, kind = '']) => kind);
  });
}

test('every kind of record with which a call answers has a replay, and no replay is unused', () => {
  const named = new Set(namedKinds());
  expect(named.size).toBeGreaterThan(30);
  expect([...named].toSorted()).toEqual(kinds.toSorted());
});

test('two resources cannot have a replay of the same kind', () => {
  const replay = () => null;
  expect(() => loadingForReplay([{ replays: { note: replay } }, { replays: { note: () => 1 } }])).toThrow(
    'There are two replays of the kind note',
  );
  expect(() =>
    loadingForReplay([{ replays: { note: replay } }, { replays: { post: replay } }]),
  ).not.toThrow();
});

test('the audit log has a word for every kind of record with which a call answers', () => {
  expect(kinds.filter((kind) => !(kind in auditWords.kinds))).toEqual([]);
});
