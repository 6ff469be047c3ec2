import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import { isMessage } from '#shared/text/message.ts';

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

/** A text in both languages. `names`: of the values of a message; null: a plain text. */
interface Pair {
  place: string;
  english: string;
  german: unknown;
  names: readonly string[] | null;
}

function pairsOf(place: string, english: unknown, translation: unknown): Pair[] {
  if (isMessage(english))
    return [{ place, english: english.pattern, german: translation, names: english.names }];
  if (typeof english === 'string') return [{ place, english, german: translation, names: null }];
  if (typeof english !== 'object' || english === null) return [];
  const parts = new Map<string, unknown>(Object.entries(Object(translation)));
  return Object.entries(english).flatMap(([name, part]) =>
    pairsOf(`${place}.${name}`, part, parts.get(name)),
  );
}

const allPairs = () => [...areas].flatMap(([area, english]) => pairsOf(area, english, german[area]));

/** The names of the values that a pattern uses. Throws a SyntaxError if it is none. */
function used(pattern: string): Set<string> {
  const inside = (elements: readonly MessageFormatElement[]): string[] =>
    elements.flatMap((element) => {
      if (element.type === TYPE.literal || element.type === TYPE.pound || element.type === TYPE.tag)
        return [];
      if (element.type !== TYPE.select && element.type !== TYPE.plural) return [element.value];
      return [element.value, ...Object.values(element.options).flatMap(({ value }) => inside(value))];
    });
  return new Set(inside(parse(pattern, { ignoreTag: true })));
}

describe('LANGUAGE-2 every text has a German one', () => {
  test('of each area', () => {
    expect([...areas.keys()].toSorted()).toEqual(Object.keys(german).toSorted());
  });

  test('that is not empty, and of the same kind', () => {
    const wrong = allPairs().filter(
      ({ english, german: own }) => typeof own !== 'string' || (own === '') !== (english === ''),
    );
    expect(wrong).toEqual([]);
    expect(allPairs().length).toBeGreaterThan(1000);
  });

  test('LANGUAGE-3 with the values of the English one, by names that its message has', () => {
    const wrong = allPairs().filter(({ english, german: own, names }) => {
      if (names === null) return false;
      const [here, there] = [used(english), used(String(own))];
      return (
        [...here, ...there].some((name) => !names.includes(name)) ||
        [...here].some((name) => !there.has(name))
      );
    });
    expect(wrong).toEqual([]);
  });

  test('that says Sie, and has the quotation marks of German', () => {
    // A command that is typed has the quotation marks of the shell.
    const read = allPairs().filter(({ english }) => !english.includes('"'));
    const wrong = read.filter(({ german: own }) =>
      /["“][\p{L}\d]|\b(?:du|dich|dir|deine?[mnrs]?)\b/iu.test(String(own)),
    );
    expect(wrong).toEqual([]);
  });
});
