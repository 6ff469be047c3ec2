import { expect, test } from 'vitest';

import { asKind, fieldKinds, kindOf, newField } from '#desktop/renderer/screens/form-designer/field-kinds.ts';
import { previewOrder } from '#desktop/renderer/screens/form-designer/preview-engine.ts';
import { faultsOf } from '#shared/rules/form-design.ts';

const noForm = { form_revisionid: 0, fields: [] };

test.each(fieldKinds)(
  'STEPFORM-1 a new field of the kind %s is recognised, and the server takes it',
  (kind) => {
    const field = { ...newField(kind, 'a'), label: 'Gap' };
    expect(kindOf(field)).toBe(kind);
    const faults = faultsOf(noForm, [field]).map(({ message }) => message);
    expect(faults).toEqual(kind === 'computed' ? ['An expression has 1 to 500 characters'] : []);
  },
);

test.each(fieldKinds)('a field that becomes %s keeps its identity and name', (kind) => {
  for (const before of fieldKinds) {
    const field = asKind({ ...newField(before, 'a'), label: 'Gap' }, kind);
    expect([kindOf(field), field.label, field.field_guid]).toEqual([kind, 'Gap', 'new:a']);
  }
});

test('the preview computes values and flags those out of limits as the player does', () => {
  const number = newField('number', 'a');
  const left = { ...number, label: 'Left', key: 'l', target: 1.5, tolerance: 0.2, field_revisionid: 1 };
  const right = { ...left, field_guid: 'new:b', label: 'Right', key: 'r', field_revisionid: 2 };
  const average = { ...newField('computed', 'c'), computed: 'avg(l, r)', field_revisionid: 3 };
  const { values } = previewOrder([left, right, average], {
    'new:a': { value: '1.4', reason: '' },
    'new:b': { value: '2.4', reason: '' },
  });
  expect(values['1']?.broken).toBeNull();
  expect(values['2']?.broken).toEqual({ side: 'max', limit: 1.7 });
  expect(values['3']).toMatchObject({ value: '1.9', isComputed: true });
});
