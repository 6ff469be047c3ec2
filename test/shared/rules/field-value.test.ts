import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fieldTypes, type FieldType, type FormField } from '#shared/model/step-form.ts';
import { brokenLimit, checkFieldValue, workValueOf } from '#shared/rules/field-value.ts';

function field(type: FieldType, options: FormField['options'] = []): FormField {
  return {
    field_revisionid: 1,
    field_guid: 'g',
    field_type: type,
    label: 'Torque',
    placeholder: '',
    textarea: '',
    required: true,
    options,
  };
}

const torque = field('Numeric Input', {
  limit_decimals: true,
  decimals: 1,
  limit_min: true,
  min: 0,
  limit_max: true,
  max: 40,
});

describe('values of form fields', () => {
  it.each([
    [field('Text Input'), ' Bolt 3 ', ' Bolt 3 '],
    [field('Text Area'), 'one\ntwo', 'one\ntwo'],
    [torque, '12.5', '12.5'],
    [torque, 40, '40'],
    [torque, ' 12.50 ', '12.50'],
    [torque, -1, '-1'],
    [torque, '40.1', '40.1'],
    [field('Numeric Input'), '-3.25', '-3.25'],
    [field('Checkbox'), true, '1'],
    [field('Checkbox'), 'false', '0'],
    [field('Checkbox'), 1, '1'],
    [field('Checkbox'), '', '0'],
    [field('Radios', ['pass', 'fail']), 'pass', 'pass'],
    [field('Select', ['1', '2']), 2, '2'],
    [field('Image'), 9001, '9001'],
    [field('Video'), '007', '7'],
    [field('Document'), '12', '12'],
  ])('are stored as strings: %o', (one, value, stored) => {
    expect(checkFieldValue(one, value)).toEqual({ value: stored });
  });

  it.each([
    [field('Text Input'), 'one\ntwo', 'Torque takes one line'],
    [field('Text Area'), 'x'.repeat(10_001), 'Torque is longer than 10000 characters'],
    [torque, '12.55', 'Torque has at most 1 decimal'],
    [torque, '1e3', 'Torque is a number such as 12.5'],
    [torque, 'twelve', 'Torque is a number such as 12.5'],
    [field('Checkbox'), 'maybe', "A checkbox is '1' or '0'"],
    [field('Radios', ['pass', 'fail']), 'Pass', 'Torque is one of: pass, fail'],
    [field('Image'), 'photo.jpg', 'Torque holds the id of an uploaded file'],
    [field('Document'), '0', 'Torque holds the id of an uploaded file'],
  ])('are refused with the reason: %o', (one, value, message) => {
    expect(checkFieldValue(one, value)).toEqual({ message });
  });

  it.each([
    ['0', null],
    ['40', null],
    ['-0.1', 'min'],
    ['40.1', 'max'],
    ['', null],
  ])('are flagged if they break a limit: %o', (value, side) => {
    const recorded = workValueOf(torque, 7, value);
    expect(recorded).toEqual({
      field_revisionid: 1,
      field_guid: 'g',
      field_type: 'Numeric Input',
      label: 'Torque',
      stepid: 7,
      value,
      limits: { min: 0, max: 40 },
    });
    expect(brokenLimit(recorded)).toBe(side);
  });

  it('have only the limits that the field has', () => {
    const limits = { limit_decimals: false, decimals: 0, limit_min: false, min: 5, limit_max: true, max: 9 };
    expect(workValueOf(field('Numeric Input', limits), 7, '1').limits).toEqual({ min: null, max: 9 });
    expect(workValueOf(field('Numeric Input', { ...limits, limit_max: false }), 7, '1')).not.toHaveProperty(
      'limits',
    );
    expect(workValueOf(field('Text Input'), 7, '1')).not.toHaveProperty('limits');
  });

  it.each([
    [{ target: 3, tolerance: 0.2 }, {}, { min: 2.8, max: 3.2 }],
    [{ target: 0.7, tolerance: 0.1 }, {}, { min: 0.6, max: 0.8 }],
    [{ target: 1_000_000, tolerance: 1e-7 }, {}, { min: 999_999.999_999_9, max: 1_000_000.000_000_1 }],
    [
      { target: 3, tolerance: 0.2 },
      { limit_min: true, min: 2.9, limit_max: true, max: 9 },
      { min: 2.9, max: 3.2 },
    ],
    [
      { target: 3, tolerance: 0.2 },
      { limit_max: true, max: 3.1 },
      { min: 2.8, max: 3.1 },
    ],
    [{ target: 3 }, { limit_max: true, max: 4 }, { min: null, max: 4 }],
    [{ target: 3 }, {}, undefined],
    [{ target: 3, tolerance: 0 }, {}, { min: 3, max: 3 }],
  ])('FIELD-2 keep the narrower of %o and %o', (aim, more, limits) => {
    const open = { limit_decimals: false, decimals: 0, limit_min: false, min: 0, limit_max: false, max: 0 };
    const one = { ...field('Numeric Input', { ...open, ...more }), ...aim };
    expect(workValueOf(one, 7, '3').limits).toEqual(limits);
    expect(workValueOf({ ...one, field_type: 'Text Input' }, 7, '3')).not.toHaveProperty('limits');
  });

  it('are cleared by the empty value, and do not change once stored', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fieldTypes), fc.string(), (type, text) => {
        const one = field(type, type === 'Radios' || type === 'Select' ? ['a', 'b'] : []);
        expect(checkFieldValue(one, '')).toEqual({ value: type === 'Checkbox' ? '0' : '' });
        const checked = checkFieldValue(one, text);
        if ('value' in checked) expect(checkFieldValue(one, checked.value)).toEqual(checked);
      }),
    );
  });
});

it.each([
  ['2026-11-29', false],
  ['2026-02-30', true],
  ['29.11.2026', true],
  ['', false],
])('FIELD-8 a date field records %s, and flags what is no day', (value, isFailed) => {
  const date = { ...field('Text Input'), format: 'date' };
  expect(checkFieldValue(date, value)).toEqual({ value });
  expect(workValueOf(date, 1, value).failed ?? false).toBe(isFailed);
});
