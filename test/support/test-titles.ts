import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test, or a group of tests: the path of its file in the folder, and its title; that of a table with what it puts in. */
export interface TestTitle {
  path: string;
  title: string;
}

/** What the tests of a folder, and of those in it, are called in the source. */
export function testTitles(folder: string): TestTitle[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      const found = text.matchAll(
        /(?:\b(?:test|it|describe|inDatabase)|\))\(\s*(?:'((?:[^'\\]|\\.)+)'|`([^`]+)`|"([^"]+)")/g,
      );
      return [...found].map((match) => ({
        path,
        title: (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(String.raw`\'`, "'"),
      }));
    });
}

const ruleId = /[A-Z]+(?:-[A-Z]+)*-\d+(?:\.\d+)?/.source;

/** The ids that a title begins with; a range (`MODEL-1–MODEL-9`) stands for all in it. */
export function ruleIds(title: string): string[] {
  const [begin] = new RegExp(`^(?:${ruleId}(?:–${ruleId})?[, :]+)*`).exec(title) ?? [''];
  return begin.split(/[, :]+/).flatMap((id) => {
    const [, area, first, last] = /^([A-Z-]+-)(\d+)–[A-Z-]+-(\d+)$/.exec(id) ?? [];
    if (area === undefined) return id === '' ? [] : [id];
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, index) => `${area}${Number(first) + index}`);
  });
}
