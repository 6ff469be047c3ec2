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
  const csv = orderCsv({ ...order, values, gaps: [{ label: 'Torque', stepid: '1', reason: null }] }, [], []);
  expect(csv).toContain("'@name,'=1+2,");
  expect(csv).toContain('"Cold ""a"", b",-4.5,');
  expect(csv).toContain('Missing value,Deleted step,Torque,,,,,,No reason given,\r\n');
  expect(csv.split('\r\n').every((line) => line === '' || line.split(',').length >= 9)).toBe(true);
});
