import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../fixtures/', import.meta.url));

export function readText(path: string): string {
  return readFileSync(root + path, 'utf8');
}

export function readJson<T>(path: string): T {
  return JSON.parse(readText(path)) as T;
}

/** The recorded guides, as unchecked records. */
export function readGuides<T>(): T[] {
  return readdirSync(`${root}ose/guides`).map((name) => readJson<T>(`ose/guides/${name}`));
}
