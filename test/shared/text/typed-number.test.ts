import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readNumber } from '#shared/text/typed-number.ts';

const valueOf = (words: string, decimal: '.' | ',') => {
  const read = readNumber(words, decimal);
  return read === null ? null : 'value' in read ? read.value : read.ambiguous;
};

describe('LANGUAGE-9 a number is read as people type it', () => {
  test.each([
    ['1,5', '1.5'],
    ['1.5', '1.5'],
    ['-0,25', '-0.25'],
    ['−3', '-3'],
    ['+7', '+7'],
    ['0.234', '0.234'],
    ['1.2345', '1.2345'],
    ['1234.567', '1234.567'],
    ['01.234', '01.234'],
    ['1.234,5', '1234.5'],
    ['1,234.5', '1234.5'],
    ['1.234.567', '1234567'],
    ['1,234,567', '1234567'],
    [' 12 ', '12'],
    ['', ''],
  ])('the same in both languages: %s', (words, value) => {
    expect([valueOf(words, ','), valueOf(words, '.')]).toEqual([value, value]);
  });

  test.each(['1.', ',5', '1.2.3', '1.234,567,8', '1,23.456', '12a', '1 5', '--1', '1e5', '1.2,3,4'])(
    'not at all: %s',
    (words) => {
      expect([valueOf(words, ','), valueOf(words, '.')]).toEqual([null, null]);
    },
  );

  test('a group of three digits is asked about, in the language where it may be one', () => {
    const both = { decimal: '1.234', whole: '1234' };
    expect([valueOf('1.234', ','), valueOf('1.234', '.')]).toEqual([both, '1.234']);
    expect([valueOf('1,234', ','), valueOf('1,234', '.')]).toEqual(['1.234', both]);
    expect(valueOf('-12.500', ',')).toEqual({ decimal: '-12.500', whole: '-12500' });
  });

  test('each number that a language writes is read back, grouped or not', () => {
    const numbers = fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }));
    fc.assert(
      fc.property(
        numbers,
        fc.constantFrom('de', 'en'),
        fc.boolean(),
        ([whole, places], locale, useGrouping) => {
          const number = whole / 10 ** places;
          const words = new Intl.NumberFormat(locale, { useGrouping, maximumFractionDigits: 6 }).format(
            number,
          );
          const read = readNumber(words, locale === 'de' ? ',' : '.');
          const isOneGroup =
            /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(words) && useGrouping && Number.isInteger(number);
          if (isOneGroup) expect(read).toMatchObject({ ambiguous: { whole: String(number) } });
          else expect(Number(valueOf(words, locale === 'de' ? ',' : '.'))).toBe(number);
        },
      ),
    );
  });
});
