import { z } from 'zod';

import { JournalError } from './store.ts';

/** The collections of the journal. */
export const journalCollection = z.enum(['outbox', 'drafts', 'meta']);

export type JournalCollection = z.infer<typeof journalCollection>;

const put = z.literal('put');
const del = z.literal('delete');
const id = z.string().min(1);

/**
 * One change. A value is JSON in which `Uint8Array` may occur anywhere. Undefined properties are left out.
 */
export const journalRecord = z.discriminatedUnion('op', [
  z.strictObject({ op: put, collection: journalCollection, id, value: z.unknown() }),
  z.strictObject({ op: del, collection: journalCollection, id }),
]);

export type JournalRecord = z.infer<typeof journalRecord>;

/** `files` is the index of the files beside the journal. Only `putFile` and `deleteFile` write it. */
export const collections = [...journalCollection.options, 'files'] as const;

export type Collection = (typeof collections)[number];

/** A change as it is stored in a segment. */
export type StoredRecord =
  | { op: 'put'; collection: Collection; id: string; value: unknown }
  | { op: 'delete'; collection: Collection; id: string };

// Checked by hand: every record is checked when the journal is opened, and a zod object takes five times as long.
const storedRecord = z.custom<StoredRecord>(isStoredRecord);

function isStoredRecord(record: unknown): boolean {
  if (typeof record !== 'object' || record === null) return false;
  if (!('op' in record && 'collection' in record && 'id' in record)) return false;
  const { op, collection: name, id: key } = record;
  if (op !== 'put' && op !== 'delete') return false;
  const isNamed = typeof key === 'string' && key !== '' && collections.some((one) => one === name);
  const properties = op === 'put' && 'value' in record ? 4 : 3;
  return isNamed && Object.keys(record).length === properties;
}

const seq = z.int().nonnegative();

/** One append. Its records take effect together. A repeated append is recognised by `id`. `at`: ms since 1970. */
export const batchBody = z.strictObject({ seq, id, at: z.number(), records: z.array(storedRecord) });
/** Records copied by compaction, each with the sequence number of its append. */
export const snapshotBody = z.strictObject({ puts: z.array(z.strictObject({ seq, record: storedRecord })) });
/** Ends a snapshot. A segment that has one is complete up to it. */
export const sealBody = z.strictObject({
  seq,
  recentIds: z.array(z.string()),
  keptSegments: z.array(z.int().positive()),
});

export type BatchBody = z.infer<typeof batchBody>;
export type SnapshotBody = z.infer<typeof snapshotBody>;
export type SealBody = z.infer<typeof sealBody>;

const BYTES_KEY = '\u0000bytes';
/** The key in the form in which it occurs in JSON. */
const BYTES_MARK = JSON.stringify(BYTES_KEY);
const bytesPlace = z.strictObject({
  [BYTES_KEY]: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});

/**
 * Packs JSON with byte arrays into one payload: length of the text u32, the text, then the byte arrays.
 * @throws JournalError `invalid` for a value that would not be read back as it was written
 */
export function encodeBody(body: BatchBody | SnapshotBody | SealBody): Uint8Array {
  const blobs: Uint8Array[] = [];
  const text = new TextEncoder().encode(JSON.stringify(pack(body, blobs)));
  const size = blobs.reduce((sum, blob) => sum + blob.length, 4 + text.length);
  const payload = new Uint8Array(size);
  new DataView(payload.buffer).setUint32(0, text.length, true);
  payload.set(text, 4);
  let at = 4 + text.length;
  for (const blob of blobs) {
    payload.set(blob, at);
    at += blob.length;
  }
  return payload;
}

/** The inverse of `encodeBody`. The result must be parsed with the schema of the frame's kind. */
export function decodeBody(payload: Uint8Array): unknown {
  const textLength = new DataView(payload.buffer, payload.byteOffset, payload.byteLength).getUint32(0, true);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(payload.subarray(4, 4 + textLength));
  // A reviver makes parsing several times slower, and few records hold bytes.
  if (!text.includes(BYTES_MARK)) return JSON.parse(text);
  const blobs = payload.subarray(4 + textLength);
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, BYTES_KEY)) return value;
    const [from, length] = bytesPlace.parse(value)[BYTES_KEY];
    return blobs.slice(from, from + length);
  });
}

function pack(value: unknown, blobs: Uint8Array[]): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value instanceof Uint8Array) {
    const from = blobs.reduce((sum, blob) => sum + blob.length, 0);
    blobs.push(value);
    return { [BYTES_KEY]: [from, value.length] };
  }
  if (Array.isArray(value)) return value.map((item) => pack(item, blobs));
  if (isPlainObject(value)) return packObject(value, blobs);
  throw new JournalError('invalid', `A journal keeps JSON and bytes, not ${describe(value)}`);
}

function packObject(object: object, blobs: Uint8Array[]): unknown {
  const entries = Object.entries(object).filter(([, item]) => item !== undefined);
  if (entries.some(([key]) => key === BYTES_KEY)) {
    throw new JournalError(
      'invalid',
      `A journal value may not have a property named ${JSON.stringify(BYTES_KEY)}`,
    );
  }
  return Object.fromEntries(entries.map(([key, item]) => [key, pack(item, blobs)]));
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : Object.prototype.toString.call(value);
}
