import { randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A word that occurs nowhere else: letters without a repeated pair, which no compression can shorten. */
export function rareWord(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz';
  return Array.from({ length: 24 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/**
 * Where any of `words`, or half of one, stands in the files below `folder`, in one byte a letter or in two. A block of a
 * compressed store may cut a word in two, hence the halves. Each place is `{name of the word}: {path}`.
 */
export async function rawSearch(folder: string, words: Record<string, string>): Promise<string[]> {
  const wanted = Object.entries(words).flatMap(([name, word]) =>
    [word.slice(0, 12), word.slice(12)].flatMap((half) => [
      { name, bytes: Buffer.from(half, 'latin1') },
      { name, bytes: Buffer.from(half, 'utf16le') },
    ]),
  );
  const found = new Set<string>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path).catch(() => Buffer.alloc(0));
    for (const { name, bytes } of wanted)
      if (content.includes(bytes)) found.add(`${name}: ${path.slice(folder.length + 1)}`);
  }
  return [...found].toSorted();
}
