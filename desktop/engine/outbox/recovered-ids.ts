import { z } from 'zod';

import type { MirrorCollections } from '../storage/mirror-collections.ts';
import { allRecords } from '../sync/mirror/guide-rows.ts';
import { jsonIn } from '../sync/recognise.ts';
import { createdBy } from '../sync/rows.ts';

/** Records that a device makes under a temporary id, which their facts keep. */
const made = ['guides', 'comments', 'workLog', 'media', 'wikis'] as const;

/**
 * What `wanted` temporary ids (with `tmp:`) have become, as the mirror tells: for a journal that was lost together
 * with its memory of what was sent.
 */
export async function recoveredIds(
  mirror: MirrorCollections,
  wanted: ReadonlySet<string>,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  if (wanted.size === 0) return found;
  for (const c of made) {
    for await (const { id, seq, body } of allRecords(mirror[c])) {
      const doc = jsonIn(body);
      if (typeof doc !== 'object' || doc === null) continue;
      const created = createdBy({ c, id, seq, doc });
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
