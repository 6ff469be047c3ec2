import { z } from 'zod';

import type { RecordsByKind } from '../storage/mirror-collections.ts';
import { jsonIn } from '../sync/recognise.ts';
import { createdBy } from '../sync/rows.ts';

/**
 * The real ids of `wanted` temporary ids (with `tmp:`), found in the mirror: a record that a device created has its
 * temporary id in its facts. For a journal that was lost with its list of sent calls.
 */
export async function recoveredIds(
  mirror: RecordsByKind,
  wanted: ReadonlySet<string>,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  if (wanted.size === 0) return found;
  for (const records of Object.values(mirror)) {
    for await (const { id, seq, body } of records.all()) {
      const doc = jsonIn(body);
      if (typeof doc !== 'object' || doc === null) continue;
      const created = createdBy({ c: records.kind, id, seq, doc });
      for (const [temporary, real] of Object.entries(created))
        if (wanted.has(temporary)) found[temporary] = real;
    }
  }
  return found;
}

/** Where the journal's `meta` keeps recovered ids of one person. */
export function idsRecord(home: string): string {
  return `ids/${home}`;
}

/** Real ids by temporary ones, as the journal holds them; none when it holds none. */
export function parseIds(value: unknown): Record<string, string> {
  return z.record(z.string(), z.string()).catch({}).parse(value);
}
