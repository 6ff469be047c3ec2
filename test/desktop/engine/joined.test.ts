import { expect, test } from 'vitest';

import { joined } from '#desktop/engine/platform/joined.ts';

test('views and actions of several areas are joined', () => {
  expect(joined({ quiz: 1 }, { course: 2 }, {})).toEqual({ quiz: 1, course: 2 });
});

test('two areas with a view or an action of the same name are an error', () => {
  expect(() => joined({ quiz: 1, attempt: 1 }, { course: 2 }, { attempt: 3 })).toThrow(
    'Two parts have the same name: attempt',
  );
});
