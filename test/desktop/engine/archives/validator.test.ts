import { expect, test } from 'vitest';

import { validatorOf } from '#desktop/engine/features/archives/fetch-rest.ts';

const changed = 'Thu, 01 Jan 2026 00:00:00 GMT';
const now = Date.parse('2026-03-01T00:00:00Z');

test.each([
  ['a strong ETag', { etag: '"a"', 'last-modified': changed }, '"a"'],
  ['the modification date instead of a weak ETag', { etag: 'W/"a"', 'last-modified': changed }, changed],
  ['no date as recent as the response', { 'last-modified': changed, date: changed }, ''],
  [
    'a date well before the response',
    { 'last-modified': changed, date: 'Thu, 01 Jan 2026 00:02:00 GMT' },
    changed,
  ],
  ['nothing without any header', {}, ''],
  ['no invalid date', { 'last-modified': 'lately' }, ''],
])('ARCHIVE-10 a download continues by %s', (_, headers, validator) => {
  expect(validatorOf(new Headers(headers), now)).toBe(validator);
});

test('ARCHIVE-10 a response without a date is dated by the device clock, with a day for its error', () => {
  const headers = new Headers({ 'last-modified': changed });
  const hour = 60 * 60_000;
  expect(validatorOf(headers, Date.parse(changed) + 23 * hour)).toBe('');
  expect(validatorOf(headers, Date.parse(changed) + 25 * hour)).toBe(changed);
});
