import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text of the built app, and the text that replaces it. The text occurs exactly once. */
export interface Flip {
  file: 'main/main.cjs' | 'preload/preload.cjs';
  from: string;
  to: string;
}

/** The file of the built app in `out` with the replacement. @throws if the text does not occur exactly once */
export function flipped(out: string, { file, from, to }: Flip): string {
  const parts = readFileSync(join(out, file), 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}

/** Replaces a text of the built app in `out`. @throws if it does not occur exactly once */
export function flipFile(out: string, flip: Flip): void {
  writeFileSync(join(out, flip.file), flipped(out, flip));
}
