import { z } from 'zod';

import type { RecordsByKind } from '../storage/mirror-collections.ts';
import { jsonIn } from '../sync/recognise.ts';
import { createdBy } from '../sync/rows.ts';

/**
 * Finds in the mirror what `wanted` temporary ids (with `tmp:`) have become. Needed after the journal was lost together
 * with its log of sent calls.
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

/** Record in the journal's `meta` with the recovered ids of a home. */
export function idsRecord(home: string): string {
  return `ids/${home}`;
}

/** Reads real ids by temporary ones from the journal; an unreadable value has none. */
export function parseIds(value: unknown): Record<string, string> {
  return z.record(z.string(), z.string()).catch({}).parse(value);
}
