import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text of the built app, and the text that replaces it. The text occurs exactly once. */
export interface Flip {
  file: 'main/main.cjs' | 'preload/preload.cjs';
  from: string;
  to: string;
}

/** Replaces a text of the built app in `out`. @throws if it does not occur exactly once */
export function flipFile(out: string, { file, from, to }: Flip): void {
  const path = join(out, file);
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
  writeFileSync(path, parts.join(to));
}
