import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test, vi } from 'vitest';

import { informal, missingGerman, otherValues, pairsOf } from '#test/support/translation-flaws.ts';

const areas = vi.hoisted(() => new Map<string, unknown>());

vi.mock('#desktop/renderer/text/language.ts', () => ({
  currentLocale: () => 'en',
  formatLocale: () => 'en',
  inLanguage: (area: string, english: unknown) => {
    areas.set(area, english);
    return english;
  },
}));

let german: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  // Another test of this process may have imported the texts already.
  vi.resetModules();
  const folder = join(import.meta.dirname, '../../../desktop/renderer/text/en');
  for (const file of readdirSync(folder)) await import(join(folder, file));
  await import('#desktop/renderer/text/en.ts');
  ({ german } = await import('#desktop/renderer/text/de.ts'));
});

const allPairs = () => [...areas].flatMap(([area, english]) => pairsOf(area, english, german[area]));

describe('LANGUAGE-2 every text has a German one', () => {
  test('of each area', () => {
    expect([...areas.keys()].toSorted()).toEqual(Object.keys(german).toSorted());
  });

  test('that is not empty, and of the same kind', () => {
    expect(missingGerman(allPairs())).toEqual([]);
    expect(allPairs().length).toBeGreaterThan(1000);
  });

  test('LANGUAGE-3 with the values of the English one, by names that its message has', () => {
    expect(otherValues(allPairs())).toEqual([]);
  });

  test('that says Sie, and has the quotation marks of German', () => {
    expect(informal(allPairs())).toEqual([]);
  });
});
