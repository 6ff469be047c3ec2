import { join } from 'node:path';

import type { Vector } from './vectors.ts';

const docs = join(import.meta.dirname, '../../../docs');

/** The page about the protocol, and its vectors. */
export const pagePath = join(docs, 'sync-protocol.md');
export const vectorsPath = join(docs, 'sync-protocol-vectors.json');

/** The vectors as they are stored. */
export function vectorsText(vectors: readonly Vector[]): string {
  return `${JSON.stringify(vectors, null, 2)}\n`;
}
