import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The path of a test file in the folder, and the title of a test or group, for a parametrised test with its
 * placeholders.
 */
export interface TestTitle {
  path: string;
  title: string;
}

/** The titles of tests in the sources of a folder and its subfolders. */
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

/** The ids at the beginning of a title; a range (`MODEL-1–MODEL-9`) is expanded. */
export function ruleIds(title: string): string[] {
  const [begin] = new RegExp(`^(?:${ruleId}(?:–${ruleId})?[, :]+)*`).exec(title) ?? [''];
  return begin.split(/[, :]+/).flatMap((id) => {
    const [, area, first, last] = /^([A-Z-]+-)(\d+)–[A-Z-]+-(\d+)$/.exec(id) ?? [];
    if (area === undefined) return id === '' ? [] : [id];
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, index) => `${area}${Number(first) + index}`);
  });
}
