import { expect, test } from 'vitest';

import { formPart } from '#shared/formats/print/form-part.ts';
import { germanWords } from '#shared/formats/print/german-words.ts';
import { englishWords, type PageWords } from '#shared/formats/print/words.ts';
import type { FormField } from '#shared/model/step-form.ts';

const options = { limit_decimals: true, decimals: 1, limit_min: false, min: 0, limit_max: false, max: 0 };
const blank: FormField = {
  field_revisionid: 1,
  field_guid: 'a',
  field_type: 'Numeric Input',
  label: 'Torque',
  placeholder: '',
  textarea: '',
  required: false,
  options,
};

/** The small print of a field, in a form with others. */
function printed(field: Partial<FormField>, ...others: Partial<FormField>[]): string {
  return printedWith(englishWords, field, ...others);
}

function printedWith(words: PageWords, ...some: Partial<FormField>[]): string {
  const fields = some.map((one) => ({ ...blank, ...one }));
  return /<small>(.*?)<\/small>/.exec(formPart({ fields }, words).text)?.[1] ?? '';
}

test('FIELD-2 a printed form has the target and the limits of a number, with the unit', () => {
  expect(printed({ unit: 'N·m', target: 3, tolerance: 0.2 })).toBe(
    'Number · target 3 ± 0.2 N·m · at least 2.8 N·m · at most 3.2 N·m · up to 1 decimal',
  );
  expect(printed({ unit: 'mm' })).toBe('Number · mm · up to 1 decimal');
});

test('PRINT-11 a form printed in German has decimal commas, and no digit is lost', () => {
  expect(printedWith(germanWords, { unit: 'N·m', target: 3, tolerance: 0.2 })).toBe(
    'Zahl · Soll 3 ± 0,2 N·m · mindestens 2,8 N·m · höchstens 3,2 N·m · höchstens 1 Nachkommastelle',
  );
  const many = { ...options, limit_min: true, min: 1234.0000001, limit_decimals: false };
  expect(printedWith(germanWords, { options: many })).toBe('Zahl · mindestens 1234,0000001');
});

test('FIELD-6 a printed form says how a value is computed, with the labels of the others', () => {
  const inputs = [
    { label: 'First <1>', key: 'm1' },
    { label: 'Second', key: 'm2' },
  ];
  expect(printed({ computed: 'avg(m1, m2, m9)' }, ...inputs)).toContain(
    'computed: avg(First &lt;1&gt;, Second, m9)',
  );
});

test('FIELD-3 FIELD-4 FIELD-5 a printed form says what else a field asks for', () => {
  expect(printed({ field_type: 'Checkbox', options: [], reason_when_failed: true })).toBe(
    'Yes or no · with a reason if it fails',
  );
  expect(printed({ field_type: 'Image', options: [], max_photos: 4 })).toBe('Picture · up to 4 photos');
  expect(printed({ field_type: 'Text Input', options: [], format: 'barcode' })).toBe('Text · scanned');
});

test('COSIGN-1 a printed form says that another person confirms', () => {
  expect(printed({ field_type: 'Text Input', options: [], second_person: 'anyone' })).toBe(
    'Text · another person confirms this step',
  );
});
