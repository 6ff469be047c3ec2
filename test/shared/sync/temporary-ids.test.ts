import { expect, test } from 'vitest';

import { temporaryIdsIn, withRealIds } from '#shared/sync/temporary-ids.ts';

const real = new Map([
  ['tmp:018f-guide', '61'],
  ['tmp:28', '75'],
  ['tmp:018f-image', '9'],
]);

test('ids stand in path, query and whole values of a body, also under the number of a step that was put back', () => {
  const call = {
    path: '/comments/step/tmp:28',
    query: { guideid: 'tmp:018f-guide' },
    body: { image: 'tmp:018f-image', fields: { 7: 'tmp:018f-image' } },
  };
  expect([...temporaryIdsIn(call)]).toEqual(['tmp:28', 'tmp:018f-guide', 'tmp:018f-image']);
  expect(withRealIds(call, (id) => real.get(id))).toEqual({
    path: '/comments/step/75',
    query: { guideid: '61' },
    body: { image: 9, fields: { 7: '9' } },
  });
});

test('what a person wrote stays, even where it reads like a temporary id', () => {
  const call = {
    path: '/comments/guide/61',
    body: { text: 'tmp:28', steps: [{ key: '28', title: 'tmp:018f-guide', lines: [{ text: 'tmp:28' }] }] },
  };
  expect([...temporaryIdsIn(call)]).toEqual([]);
  expect(withRealIds(call, (id) => real.get(id))).toEqual(call);
});

test('an id that only stands within other words of a body is none', () => {
  expect([...temporaryIdsIn({ path: '/x', body: { data: ['see tmp:28', 'tmp:28-', 'TMP:28'] } })]).toEqual(
    [],
  );
});
