import * as Y from 'yjs';

import type { GuideContent } from '#shared/rules/guide-content.ts';

import { toBase64 } from '../platform/base64.ts';
import { writeContent } from './guide-document.ts';

/** Client id that writes the seed of every draft. Sessions and rebases never use it. */
const seedClient = 1;

/** The edits of a draft belong to another seed. Yjs would silently never apply them. */
export class ForeignSeed extends Error {
  constructor(expected: string, found: string | undefined) {
    super(`This draft grew from the seed ${expected}, not from ${found ?? 'none'}`);
    this.name = 'ForeignSeed';
  }
}

/** Hash of the content from which a draft grows. */
export function seedHash(content: GuideContent): string {
  const text = canonical(content);
  return hash53(text, 0) + hash53(text, 1);
}

/** The first update of a draft. Equal contents give equal bytes on all devices. */
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

/** The seed of a document; undefined for a document without one. */
export function seedOf(doc: Y.Doc): string | undefined {
  const seed = doc.getMap('identity').get('seed');
  return typeof seed === 'string' ? seed : undefined;
}

/** Throws `ForeignSeed` when an update did not grow from this seed. */
export function checkSeed(update: Uint8Array, expected: string): void {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, update);
  const found = seedOf(doc);
  doc.destroy();
  if (found !== expected) throw new ForeignSeed(expected, found);
}

/** A new client id for one editing session. An id must not be used twice, or edits are lost. `random`: 0 to 1. */
export function sessionClient(random: () => number): number {
  return 16 + Math.floor(random() * (0x8000_0000 - 16));
}

/**
 * The update that brings a document to a merged content. It is written as by another replica, so that undo does not
 * take it back. `from`: the content that was merged in. Two windows that do the same rebase write the same update.
 */
export function rebaseUpdate(doc: Y.Doc, merged: GuideContent, from: GuideContent): Uint8Array {
  const replica = new Y.Doc();
  Y.applyUpdate(replica, Y.encodeStateAsUpdate(doc));
  const before = Y.encodeStateVector(replica);
  replica.clientID = rebaseClient(toBase64(before), seedHash(from), seedHash(merged));
  replica.transact(() => writeContent(replica, merged));
  const update = Y.encodeStateAsUpdate(replica, before);
  replica.destroy();
  return update;
}

/** A client id that follows from what a rebase does, so that equal rebases are the same edits. */
function rebaseClient(...what: string[]): number {
  return 0x8000_0000 + (Number.parseInt(hash53(what.join('\n'), 2), 16) % 0x7fff_ffff);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** cyrb53: 53 bits, as 14 hexadecimal digits. Not cryptographic: it only distinguishes versions of a guide. */
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
