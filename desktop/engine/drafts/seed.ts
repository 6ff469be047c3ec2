import * as Y from 'yjs';

import type { GuideContent } from '#shared/rules/guide-content.ts';

import { writeContent } from './guide-document.ts';

/** Wrote the seed of every draft; sessions and rebases never take it. */
const seedClient = 1;

/** A draft was opened with a seed that is not its own: its edits would silently never meet. */
export class ForeignSeed extends Error {
  constructor(expected: string, found: string | undefined) {
    super(`This draft grew from the seed ${expected}, not from ${found ?? 'none'}`);
    this.name = 'ForeignSeed';
  }
}

/** Hash of the content that a draft grows from; part of the draft's identity. */
export function seedHash(content: GuideContent): string {
  const text = canonical(content);
  return hash53(text, 0) + hash53(text, 1);
}

/** The first update of a draft. Equal contents give equal bytes on every device. */
export function seedUpdate(content: GuideContent): Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = seedClient;
  doc.transact(() => {
    doc.getMap('identity').set('seed', seedHash(content));
    writeContent(doc, content);
  });
  const update = Y.encodeStateAsUpdate(doc);
  doc.destroy();
  return update;
}

/** The seed that a document grew from; undefined for a document without one. */
export function seedOf(doc: Y.Doc): string | undefined {
  const seed = doc.getMap('identity').get('seed');
  return typeof seed === 'string' ? seed : undefined;
}

/** A client id for one editing session, fresh each time: an id that is used twice loses edits. `random`: 0 to 1. */
export function sessionClient(random: () => number): number {
  return 16 + Math.floor(random() * (0x8000_0000 - 16));
}

/** The client id of a rebase follows from what it does: two windows that do the same one write the same edits. */
export function rebaseClient(...what: string[]): number {
  return 0x8000_0000 + (Number.parseInt(hash53(what.join('\n'), 2), 16) % 0x7fff_ffff);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** cyrb53: 53 bits, as 14 hexadecimal digits. Told apart here are versions of one guide, not adversaries. */
function hash53(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(16).padStart(14, '0');
}
