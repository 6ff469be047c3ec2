import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { FormField } from '#shared/model/step-form.ts';
import { computedValues } from '#shared/rules/computed-values.ts';
import { roundDecimals } from '#shared/rules/decimals.ts';
import { evaluate, expressionLimits, keysIn, parseExpression } from '#shared/rules/expressions.ts';

function result(text: string, values: Record<string, number> = {}): number | undefined | string {
  const parsed = parseExpression(text);
  if ('message' in parsed) return parsed.message;
  return evaluate(parsed.expression, (key) => (Object.hasOwn(values, key) ? values[key] : undefined));
}

/** An expression as text, and its result computed while the text is made. undefined: unknown. */
interface Sample {
  text: string;
  value: number | undefined;
}

const values: Readonly<Record<string, number>> = { a: 3, b: 0.5, c3: -7.25 };

function known(make: (...given: number[]) => number, ...given: (number | undefined)[]): number | undefined {
  const numbers = given.filter((one) => one !== undefined);
  const made = numbers.length < given.length ? undefined : make(...numbers);
  return made === undefined || !Number.isFinite(made) ? undefined : made;
}

/** Expressions in which everything is in parentheses, with the obvious result. */
const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true, maxDepth: 6 },
    fc.nat({ max: 400 }).map((n) => ({ text: String(n / 4), value: n / 4 })),
    fc.constantFrom('a', 'b', 'c3', 'missing').map((key) => ({ text: key, value: values[key] })),
    tie('sample').map((one) => ({ text: `-(${one.text})`, value: known((x) => -x, one.value) })),
    fc
      .tuple(tie('sample'), fc.constantFrom('+', '-', '*', '/'), tie('sample'))
      .map(([left, sign, right]) => ({
        text: `(${left.text}) ${sign} (${right.text})`,
        value: known(
          (x, y) => ({ '+': x + y, '-': x - y, '*': x * y, '/': x / y })[sign] ?? Number.NaN,
          left.value,
          right.value,
        ),
      })),
    fc
      .tuple(
        fc.constantFrom('min', 'max', 'sum', 'avg'),
        fc.array(tie('sample'), { minLength: 1, maxLength: 3 }),
      )
      .map(([name, given]) => ({
        text: `${name}(${given.map(({ text }) => text).join(' , ')})`,
        value: known(
          (...all) => {
            const total = all.reduce((sum, one) => sum + one, 0);
            if (name === 'sum') return total;
            if (name === 'avg') return total / all.length;
            return all.toSorted((x, y) => x - y).at(name === 'min' ? 0 : -1) ?? Number.NaN;
          },
          ...given.map(({ value }) => value),
        ),
      })),
    tie('sample').map((one) => ({ text: `abs(${one.text})`, value: known(Math.abs, one.value) })),
  ),
}));

describe('FIELD-7 expressions', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['8 - 3 - 2', 3],
    ['8 / 4 / 2', 1],
    ['-2 * -3', 6],
    ['--2', 2],
    ['2 - -1', 3],
    ['avg(a, b, 4)', 3],
    ['max(a, b) - min(a, b)', 3],
    ['sum(a, 1)', 5],
    ['abs(b - a)', 3],
    ['round(2.675, 2)', 2.68],
    ['round(-2.5)', -3],
    ['round(a / 3, 4)', 1.3333],
    ['a / 0', undefined],
    ['0 / 0', undefined],
    ['1 / (1 / 0)', undefined],
    ['avg(a, missing)', undefined],
    ['missing * 0', undefined],
    ['round(1, 9)', undefined],
  ])('%s makes %s', (text, value) => {
    expect(result(text, { a: 4, b: 1 })).toBe(value);
  });

  it.each([
    ['', 'the expression ends too early'],
    ['1 +', 'the expression ends too early'],
    ['1 2', 'the expression has an unexpected "2"'],
    ['(1', 'the expression ends where ")" is expected'],
    ['a.b', 'the expression has an unexpected "."'],
    ['constructor()', 'there is no function "constructor"'],
    ['alert(1)', 'there is no function "alert"'],
    ['avg()', 'the expression has an unexpected ")"'],
    ['abs(1, 2)', '"abs" takes 1 value'],
    ['avg', '"avg" needs values in parentheses'],
    ['1 = 1', 'the expression has an unexpected "="'],
    ['`x`', 'the expression has an unexpected "`"'],
    ['('.repeat(30), 'the expression has more than 20 levels'],
    ['-'.repeat(30), 'the expression has more than 20 levels'],
    ['1+'.repeat(251), 'the expression has more than 500 characters'],
  ])('%s is refused', (text, message) => {
    expect(result(text)).toBe(message);
  });

  it('equal a slow, obvious evaluation', () => {
    fc.assert(
      fc.property(sample, ({ text, value }) => {
        if (text.length > expressionLimits.characters) return;
        const found = result(text, values);
        // Each level of the sample has parentheses of its own, which may be more than 20.
        if (typeof found === 'string') expect(found).toContain('levels');
        else if (value === undefined) expect(found).toBeUndefined();
        else expect(found).toBeCloseTo(value, 9);
      }),
      { numRuns: 500 },
    );
  });

  it('never throw and never take long, whatever the text is', () => {
    const words = fc.constantFrom(
      'avg(',
      '(',
      ')',
      ',',
      '+',
      '-',
      '*',
      '/',
      '1.5',
      'a',
      ' ',
      '.',
      '__proto__',
      'é',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(words, { maxLength: 200 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseExpression(text);
        if ('message' in parsed) {
          expect(parsed.message).not.toBe('');
          return;
        }
        expect(keysIn(parsed.expression).length).toBeLessThanOrEqual(text.length);
        const found = evaluate(parsed.expression, () => 1e308);
        expect(found === undefined || Number.isFinite(found)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('round as people do', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -99_999_999, max: 99_999_999 }),
        fc.nat({ max: 4 }),
        (whole, decimals) => {
          const value = whole / 10 ** 5;
          const cut = 10n ** BigInt(5 - decimals);
          const size = BigInt(Math.abs(whole));
          const rounded = (size + cut / 2n) / cut;
          expect(Math.abs(roundDecimals(value, decimals)) * 10 ** decimals).toBeCloseTo(Number(rounded), 6);
        },
      ),
    );
  });
});

function field(key: string, more: Partial<FormField> = {}): FormField {
  return {
    field_revisionid: key.length,
    field_guid: key,
    field_type: 'Numeric Input',
    label: key,
    placeholder: '',
    textarea: '',
    required: true,
    options: { limit_decimals: true, decimals: 2, limit_min: false, min: 0, limit_max: true, max: 3.33 },
    key,
    ...more,
  };
}

function computedOf(fields: FormField[], texts: Record<string, string>): Record<string, string> {
  const found = computedValues(fields, 1, (guid) => texts[guid]);
  return Object.fromEntries(found.map(({ field_guid, value }) => [field_guid, value]));
}

describe('FIELD-6 computed values', () => {
  const average = field('average', { computed: 'avg(m1, m2, m3)' });
  const readings = [field('m1'), field('m2'), field('m3')];

  it('follow from the values of the form, rounded to their decimals', () => {
    const texts = { m1: '3.33', m2: '3.33', m3: '3.34' };
    expect(computedOf([...readings, average], texts)).toEqual({ average: '3.33' });
    expect(
      computedValues([...readings, average], 1, (guid) => new Map(Object.entries(texts)).get(guid)),
    ).toMatchObject([{ computed: true, value: '3.33', limits: { min: null, max: 3.33 } }]);
    expect(computedOf([field('a'), field('b', { computed: 'a * 1.005' })], { a: '1' })).toEqual({
      b: '1.01',
    });
    expect(computedOf([field('a'), field('b', { computed: '-a' })], { a: '0' })).toEqual({ b: '0.00' });
  });

  it('are unknown while a value is missing, and where there is no result', () => {
    expect(computedOf([...readings, average], { m1: '3', m2: '3' })).toEqual({ average: '' });
    expect(computedOf([...readings, average], { m1: '3', m2: '3', m3: '' })).toEqual({ average: '' });
    expect(computedOf([field('a'), field('b', { computed: '1 / a' })], { a: '0' })).toEqual({ b: '' });
    expect(computedOf([field('a'), field('b', { computed: 'a * a' })], { a: '99999999999' })).toEqual({
      b: '',
    });
  });

  it('may follow from each other, but not from themselves', () => {
    const range = field('range', { computed: 'max(m1, m2) - min(m1, m2)' });
    const share = field('share', { computed: 'range / average' });
    const own = field('average', { computed: 'avg(m1, m2)' });
    const fields = [share, range, own, ...readings];
    expect(computedOf(fields, { m1: '1', m2: '3' })).toEqual({
      share: '1.00',
      range: '2.00',
      average: '2.00',
    });
    expect(computedOf([field('x', { computed: 'y + 1' }), field('y', { computed: 'x' })], {})).toEqual({
      x: '',
      y: '',
    });
  });

  it('without stated decimals have as many as they need, in plain notation', () => {
    const plain = {
      options: { limit_decimals: false, decimals: 0, limit_min: false, min: 0, limit_max: false, max: 0 },
    };
    const third = field('third', { ...plain, computed: 'a / 3' });
    expect(computedOf([field('a', plain), third], { a: '1' })).toEqual({ third: '0.333333333333' });
    expect(computedOf([field('a', plain), third], { a: '0.0000003' })).toEqual({ third: '0.0000001' });
    expect(computedOf([field('a', plain), third], { a: '0.9' })).toEqual({ third: '0.3' });
  });
});
