import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { must } from '#shared/must.ts';
import { runningOrder } from '#test/support/demo-orders.ts';

beforeEach(() => {
  vi.resetModules();
  vi.doMock('#desktop/renderer/text/language.ts', () => ({
    currentLocale: () => 'de',
    formatLocale: () => 'de',
    inLanguage: (_area: string, english: unknown) => english,
  }));
});
afterEach(() => {
  vi.doUnmock('#desktop/renderer/text/language.ts');
  vi.resetModules();
});

test('LANGUAGE-8 a CSV file has numbers as they are stored, in German too', async () => {
  const { orderCsv } = await import('#desktop/renderer/screens/work-orders/order-csv.ts');
  const { shownValue } = await import('#desktop/renderer/screens/work-orders/shown-value.ts');
  const order = runningOrder();
  const value = { ...must(Object.values(order.values)[1], 'the torque'), value: '-1234.50', unit: 'N·m' };
  expect(shownValue(value)).toBe('-1234,50\u00a0N·m');
  const limits = { min: 2.8, max: 3.2 };
  const csv = orderCsv({ ...order, values: { 1: { ...value, label: 'Torque', limits } } }, [], [], null);
  expect(csv).toContain('Torque,-1234.50,2.8,3.2,');
});

test('LANGUAGE-9 settings have a decimal comma in German, and “1.000” is not 1', async () => {
  const { typedNumber } = await import('#desktop/renderer/text/format.ts');
  const { editOf } = await import('#desktop/renderer/screens/site/typed-site.ts');
  expect(['80,5', '80.5', '1.000,5', '', '1.000', 'x'].map(typedNumber)).toEqual([
    80.5,
    80.5,
    1000.5,
    0,
    Number.NaN,
    Number.NaN,
  ]);
  expect(editOf({ upload_megabytes: '1.000' })).toMatchObject({ upload_megabytes: Number.NaN });
});
