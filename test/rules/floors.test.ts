import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import { flawOf, floors } from './floors.ts';

test('a file imports from its own folder and from lower floors', () => {
  expect(flawOf('sync-server/http/mount.ts', './etag.ts')).toBeNull();
  expect(flawOf('sync-server/http/mount.ts', '../core/context.ts')).toBeNull();
  expect(flawOf('sync-server/features/guides/store.ts', '#server/storage/feed.ts')).toBeNull();
  expect(flawOf('sync-server/features/guides/store.ts', '../wikis/store.ts')).toBeNull();
});

test('imports of packages and of other top folders are checked elsewhere', () => {
  expect(flawOf('sync-server/storage/feed.ts', 'kysely')).toBeNull();
  expect(flawOf('sync-server/storage/feed.ts', '#shared/sync/wire.ts')).toBeNull();
});

test.each([
  ['sync-server/storage/feed.ts', '#server/core/context.ts'],
  ['sync-server/storage/feed.ts', '../core/context.ts'],
  ['sync-server/core/services.ts', '#server/features/quizzes/scoring.ts'],
  ['sync-server/http/mount.ts', '../app.ts'],
  // The same floor.
  ['sync-server/http/mount.ts', '#server/jobs/runner.ts'],
  ['sync-server/elsewhere/new.ts', '../core/context.ts'],
])('%s does not import %s', (file, specifier) => {
  expect(flawOf(file, specifier)).toMatch(/floor/);
});

test('every floor names folders that exist', () => {
  for (const [house, levels] of Object.entries(floors))
    for (const folder of levels.flat())
      expect(existsSync(`${house}/${folder}`), `${house}/${folder}`).toBe(true);
});
