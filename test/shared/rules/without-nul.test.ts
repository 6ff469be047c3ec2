import { expect, test } from 'vitest';

import { withoutNul } from '#shared/rules/without-nul.ts';

test('OUTBOX-29 NUL is removed from texts and names at any depth; a value without NUL is returned unchanged', () => {
  expect(withoutNul({ 'a\0': ['x\0y', { b: '\0' }], n: 1, none: null })).toEqual({
    a: ['xy', { b: '' }],
    n: 1,
    none: null,
  });
  const sound = { a: ['x', { b: 'y' }], bytes: new Uint8Array([0, 1]) };
  expect(withoutNul(sound)).toBe(sound);
  expect(withoutNul('plain')).toBe('plain');
});
