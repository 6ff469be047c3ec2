import { expect, test } from 'vitest';

import { formatBytes, formatClock, formatEstimate, formatSince } from '#desktop/renderer/text/format.ts';
import { panBy, wholePicture, zoomAt } from '#desktop/renderer/ui/zoom.ts';

test.for<[number, string]>([
  [0, '00:00:00'],
  [763_000, '00:12:43'],
  [59_999, '00:00:59'],
  [360_000_000, '100:00:00'],
  [-5, '00:00:00'],
])('a clock of %d ms reads %s', ([ms, words]) => {
  expect(formatClock(ms)).toBe(words);
});

test.for<[number, string]>([
  [0, ''],
  [2400, '40 min'],
  [7200, '2 h'],
  [5400, '1 h 30 min'],
  [172_800, '2 days'],
])('an estimate of %d s reads "%s"', ([seconds, words]) => {
  expect(formatEstimate(seconds)).toBe(words);
});

test.for<[number, string]>([
  [4_100_000, '4.1 MB'],
  [1_200_000_000, '1.2 GB'],
  [999, '999 bytes'],
  [48_000, '48 kB'],
])('%d bytes read "%s"', ([bytes, words]) => {
  expect(formatBytes(bytes)).toBe(words);
});

test.for<[number, string]>([
  [5000, 'just now'],
  [125_000, '2 minutes ago'],
  [7_300_000, '2 hours ago'],
  [90_000_000, 'yesterday'],
  [-60_000, 'just now'],
])('%d ms ago reads "%s"', ([passed, words]) => {
  expect(formatSince(1_790_000_000_000 - passed, 1_790_000_000_000)).toBe(words);
});

const size = { width: 1000, height: 800 };

test('zooming keeps the point under the fingers', () => {
  const view = zoomAt(wholePicture, 2, { x: 100, y: -50 }, size);
  expect(view).toEqual({ scale: 2, x: -100, y: 50 });
});

test('zooming ends at eight times and at the whole picture', () => {
  expect(zoomAt(wholePicture, 100, { x: 0, y: 0 }, size).scale).toBe(8);
  expect(zoomAt({ scale: 2, x: 300, y: 0 }, 0.1, { x: 0, y: 0 }, size)).toEqual(wholePicture);
});

test('a picture cannot be moved out of its window', () => {
  expect(panBy({ scale: 2, x: 0, y: 0 }, 9000, -9000, size)).toEqual({ scale: 2, x: 500, y: -400 });
});
