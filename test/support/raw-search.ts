import { randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A unique word: letters without a repeated pair, which compression cannot shorten. */
export function rareWord(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz';
  return Array.from({ length: 24 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** The base64 forms of a text at each of the three alignments, without the characters that its neighbours influence. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const whole = Buffer.from(`${'\0'.repeat(shift)}${text}`, 'latin1');
    const from = Math.ceil((shift * 8) / 6);
    return whole.toString('base64').slice(from, Math.floor((whole.length * 8) / 6));
  });
}

/**
 * Finds any of `words`, or half of one, in the files below `folder`: with one or two bytes per letter, or in base64
 * (drafts) with one or two bytes per letter. A block of a compressed store may split a word, hence the halves. Each
 * result is `{name of the word}: {path}`.
 */
export async function rawSearch(folder: string, words: Record<string, string>): Promise<string[]> {
  const wanted = Object.entries(words).flatMap(([name, word]) =>
    [word.slice(0, 12), word.slice(12)]
      .flatMap((half) => [half, ...inBase64(half)])
      .flatMap((text) => [
        { name, bytes: Buffer.from(text, 'latin1') },
        { name, bytes: Buffer.from(text, 'utf16le') },
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
