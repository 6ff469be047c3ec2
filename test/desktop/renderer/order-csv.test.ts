import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';

import { orderCsv } from '#desktop/renderer/screens/work-orders/order-csv.ts';
import { runningOrder } from '#test/support/demo-orders.ts';

test('a text that a spreadsheet program would run is marked; a negative number is not', () => {
  const order = runningOrder();
  const values = {
    1: {
      ...must(Object.values(order.values)[0], 'a value'),
      fieldType: 'Text Input' as const,
      value: '=1+2',
      label: '@name',
    },
    2: {
      ...must(Object.values(order.values)[0], 'a value'),
      fieldType: 'Numeric Input' as const,
      value: '-4.5',
      label: 'Cold "a", b',
    },
  };
  const csv = orderCsv(
    { ...order, values, gaps: [{ label: 'Torque', stepid: '1', reason: null }] },
    [],
    [],
    null,
  );
  expect(csv).toContain("'@name,'=1+2,");
  expect(csv).toContain('"Cold ""a"", b",-4.5,');
  expect(csv).toContain('Missing value,Deleted step,Torque,,,,,,No reason given,\r\n');
  expect(csv.split('\r\n').every((line) => line === '' || line.split(',').length >= 9)).toBe(true);
});

test('FIELD-2 FIELD-3 FIELD-6 a value has its unit in the last column, and a note says more about it', () => {
  const order = runningOrder();
  const value = must(Object.values(order.values)[1], 'the torque');
  const values = {
    1: { ...value, label: 'Torque', value: '3.3', unit: 'N·m', limits: { min: 2.8, max: 3.2 } },
    2: { ...value, label: 'Average', value: '3.1', unit: 'mm', isComputed: true },
    3: {
      ...value,
      label: 'Guard',
      fieldType: 'Checkbox' as const,
      value: '0',
      isFailed: true,
      reason: 'Bent',
    },
  };
  const lines = orderCsv({ ...order, values }, [], [], null).split('\r\n');
  expect(lines[0]?.endsWith(',Note,Unit')).toBe(true);
  expect(lines).toContain('Value,Deleted step,Torque,3.3,2.8,3.2,,,,N·m');
  expect(lines).toContain('Value,Deleted step,Average,3.1,,,,,computed,mm');
  expect(lines).toContain('Value,Deleted step,Guard,Not OK,,,,,"Failed\nBent",');
});
