import type { GuideFacts } from '#shared/model/guide.ts';
import { chunks } from '#server/storage/chunks.ts';
import type { Db } from '#server/storage/tables.ts';

import type { FeedLine } from './feed-line.ts';

/**
 * The rows with guides that name only prerequisites which the viewer may see; `visible`: the viewer's audiences. Only
 * the text of a guide that names a hidden one is taken apart, all others pass as they are.
 */
export async function withoutHidden(
  db: Db,
  visible: ReadonlySet<number>,
  lines: FeedLine[],
): Promise<FeedLine[]> {
  const guideids = lines.flatMap(({ c, id, body }) =>
    c === 'guides' && body !== undefined ? [Number(id)] : [],
  );
  const hidden = await hiddenPrerequisites(db, visible, guideids);
  if (hidden.size === 0) return lines;
  return lines.map((line) => {
    const ids = line.c === 'guides' ? hidden.get(Number(line.id)) : undefined;
    return ids === undefined || line.body === undefined
      ? line
      : { ...line, body: withoutIds(line.body, ids) };
  });
}

function withoutIds(body: string, hidden: ReadonlySet<number>): string {
  const facts = JSON.parse(body) as GuideFacts;
  const prerequisites = facts.prerequisites.filter((guideid) => !hidden.has(guideid));
  const pins = facts.prerequisite_releases?.filter((pin) => !hidden.has(pin.guideid));
  return JSON.stringify({
    ...facts,
    prerequisites,
    ...(pins === undefined ? {} : { prerequisite_releases: pins }),
  });
}

/** By guide the prerequisites that are gone, or in none of the `visible` audiences. */
async function hiddenPrerequisites(
  db: Db,
  visible: ReadonlySet<number>,
  guideids: number[],
): Promise<Map<number, Set<number>>> {
  const hidden = new Map<number, Set<number>>();
  for (const some of chunks(guideids)) {
    const rows = await db
      .selectFrom('guide_prerequisites')
      .leftJoin('documents', (join) =>
        join
          .on('documents.collection', '=', 'guides')
          .on((eb) => eb('documents.id', '=', eb.cast<string>('guide_prerequisites.prerequisiteid', 'text'))),
      )
      .select(['guideid', 'prerequisiteid', 'audience'])
      .where('guideid', 'in', some)
      .execute();
    for (const { guideid, prerequisiteid, audience } of rows) {
      if (audience !== null && visible.has(audience)) continue;
      hidden.set(guideid, (hidden.get(guideid) ?? new Set()).add(prerequisiteid));
    }
  }
  return hidden;
}

/** A statement for the ids (as text) of the guides that name a guide of these audiences as prerequisite. */
export function dependentsOn(db: Db, audiences: number[]) {
  return db
    .selectFrom('guide_prerequisites')
    .innerJoin('documents as named', (join) =>
      join
        .on('named.collection', '=', 'guides')
        .on((eb) => eb('named.id', '=', eb.cast<string>('guide_prerequisites.prerequisiteid', 'text'))),
    )
    .select((eb) => eb.cast<string>('guide_prerequisites.guideid', 'text').as('id'))
    .where('named.audience', 'in', audiences);
}
