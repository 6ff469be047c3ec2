import { expect, test } from 'vitest';

import { randomPool } from '#server/platform/random.ts';

test('random values have the requested size and never repeat', () => {
  const draw = randomPool();
  const pieces = Array.from({ length: 3000 }, () => draw(9));
  expect(new Set(pieces.map((piece) => piece.length))).toEqual(new Set([9]));
  expect(new Set(pieces.map((piece) => Buffer.from(piece).toString('hex'))).size).toBe(3000);
  for (const size of [0, 1, 64, 65, 10_000]) expect(draw(size)).toHaveLength(size);
  const ones = Array.from({ length: 20_000 }, () => draw(1)[0] ?? 0);
  expect(new Set(ones).size).toBe(256);
});
