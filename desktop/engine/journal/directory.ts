import { z } from 'zod';

import { collections, type SnapshotBody } from './records.ts';

/** A record of the library that has a title. */
const titled = z.strictObject({ collection: z.string(), id: z.string() });

export const namedRecord = z.strictObject({
  collection: z.enum(collections),
  id: z.string(),
  /** What the record is about, for people; empty when it does not say. */
  subject: z.string(),
  /** The home it belongs to, and what its subject is the title of (null: of nothing); absent where it does not say. */
  home: z.string().exactOptional(),
  about: titled.nullable().exactOptional(),
});

/** A record that a segment began with, by name. */
export type NamedRecord = z.infer<typeof namedRecord>;

const directory = z.strictObject({ segment: z.int(), records: z.array(namedRecord) });

/** A value that says what it is about: calls of the outbox, and calls that were sent, do. */
const named = z.object({
  home: z.string().optional().catch(undefined),
  about: titled.nullable().optional().catch(undefined),
  call: z.object({ subject: z.string() }),
});

// Small enough that damage takes few names with it.
const NAMES_PER_RECORD = 256;

const PREFIX = '\u0000directory/';

/**
 * The names of all records that a segment begins with, as records of `meta`: damage among those then says what it took.
 * Versions that do not know them carry them on as any other record, under the number of a segment that is gone.
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

/** Takes the directories out of what a segment begins with. */
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
