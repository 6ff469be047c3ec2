import { z } from 'zod';

import { collections, type SnapshotBody } from './records.ts';

/** A record of the library that has a title. */
const titled = z.strictObject({ collection: z.string(), id: z.string() });

/** The name of a record, for reports of damage. */
export const namedRecord = z.strictObject({
  collection: z.enum(collections),
  id: z.string(),
  /** What the record is about, as people know it; empty if unknown. */
  subject: z.string(),
  /** The home it belongs to, and the record whose title the subject is (null: of none). Absent if unknown. */
  home: z.string().exactOptional(),
  about: titled.nullable().exactOptional(),
});

/** The name of a record that a segment began with. */
export type NamedRecord = z.infer<typeof namedRecord>;

const directory = z.strictObject({ segment: z.int(), records: z.array(namedRecord) });

/** A value with a subject: a call of the outbox, or one that was sent. */
const named = z.object({
  home: z.string().optional().catch(undefined),
  about: titled.nullable().optional().catch(undefined),
  call: z.object({ subject: z.string() }),
});

// Small, so that damage destroys few names.
const NAMES_PER_RECORD = 256;

const PREFIX = '\u0000directory/';

/**
 * The names of all records that a segment begins with, as records of `meta`. They tell which records damage has
 * destroyed. Versions that do not know them copy them like any other record, under the number of a segment that is
 * gone.
 */
export function directoryOf(puts: SnapshotBody['puts'], segment: number): SnapshotBody['puts'] {
  const records = puts.map(({ record }): NamedRecord => {
    const { collection, id } = record;
    const value = record.op === 'put' ? named.safeParse(record.value).data : undefined;
    if (value === undefined) return { collection, id, subject: '' };
    const { home, about, call } = value;
    return {
      collection,
      id,
      subject: call.subject,
      ...(home === undefined ? {} : { home }),
      ...(about === undefined ? {} : { about }),
    };
  });
  const parts: SnapshotBody['puts'] = [];
  for (let from = 0; from < records.length; from += NAMES_PER_RECORD) {
    const value: z.infer<typeof directory> = {
      segment,
      records: records.slice(from, from + NAMES_PER_RECORD),
    };
    parts.push({ seq: 0, record: { op: 'put', collection: 'meta', id: `${PREFIX}${from}`, value } });
  }
  return parts;
}

/** Separates the directories from the other records that a segment begins with. */
export function directoriesIn(
  puts: SnapshotBody['puts'],
  segment: number,
): { named: NamedRecord[]; rest: SnapshotBody['puts'] } {
  const found: NamedRecord[] = [];
  const rest = puts.filter(({ record }) => {
    if (record.collection !== 'meta' || !record.id.startsWith(PREFIX)) return true;
    const parsed = record.op === 'put' ? directory.safeParse(record.value).data : undefined;
    if (parsed?.segment === segment) found.push(...parsed.records);
    return false;
  });
  return { named: found, rest };
}
