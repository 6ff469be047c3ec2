import { expect, test } from 'vitest';

import { memoryWatch } from '#server/bootstrap/memory.ts';

const megabyte = 1024 ** 2;

test('START-10 memory is released when the process uses more than usual, and a lasting need becomes the usual', async () => {
  let taken = 300 * megabyte;
  let needed = 200 * megabyte;
  let collected = 0;
  const look = memoryWatch({
    taken: () => taken,
    async collect() {
      collected += 1;
      taken = needed;
    },
  });
  await look();
  expect(collected).toBe(0);
  taken = 500 * megabyte;
  await look();
  expect([collected, taken]).toEqual([1, needed]);
  // A site that needs more is not garbage-collected again and again.
  taken = needed = 600 * megabyte;
  await look();
  expect(collected).toBe(2);
  taken = 800 * megabyte;
  await look();
  expect(collected).toBe(2);
  taken = 1000 * megabyte;
  needed = 200 * megabyte;
  await look();
  expect([collected, taken]).toEqual([3, needed]);
});
