import type { GuideFacts } from '#shared/model/guide.ts';
import { chunks } from '#server/storage/chunks.ts';
import type { Db } from '#server/storage/tables.ts';

import type { FeedLine } from './feed-line.ts';
import { releasesOf, type ReleaseTexts } from './prerequisite-releases.ts';

/**
 * Adapts the guides in `lines` to the viewer (FEED-8, FEED-12): hidden prerequisites are removed, and pinned ones are
 * included as they were released. `visible`: the viewer's audiences. Only guides with hidden or pinned prerequisites
 * are parsed.
 */
export async function withPrerequisites(
  db: Db,
  visible: ReadonlySet<number>,
  lines: FeedLine[],
): Promise<FeedLine[]> {
  const guides = lines.flatMap(({ c, id, body }) =>
    c === 'guides' && body !== undefined ? [{ guideid: Number(id), body }] : [],
  );
  const hidden = await prerequisitesOf(
    db,
    visible,
    guides.map(({ guideid }) => guideid),
  );
  const parsed = new Map(
    guides
      .filter(({ guideid, body }) => (hidden.get(guideid)?.size ?? 0) > 0 || mayPin(hidden, guideid, body))
      .map(({ guideid, body }) => [String(guideid), withoutHidden(body, hidden.get(guideid))]),
  );
  if (parsed.size === 0) return lines;
  const releases = await releasesOf(
    db,
    [...parsed.values()].flatMap((facts) => facts.prerequisite_releases ?? []),
  );
  return lines.map((line) => {
    const facts = line.c === 'guides' && line.body !== undefined ? parsed.get(line.id) : undefined;
    return facts === undefined ? line : { ...line, body: withReleases(facts, releases) };
  });
}

/** Whether a guide may have pinned prerequisites, judged by its text: most have none, and need not be parsed. */
function mayPin(named: ReadonlyMap<number, unknown>, guideid: number, body: string): boolean {
  return named.has(guideid) && body.includes('"prerequisite_releases"');
}

function withoutHidden(body: string, hidden: ReadonlySet<number> = new Set()): GuideFacts {
  const facts = JSON.parse(body) as GuideFacts;
  const prerequisites = facts.prerequisites.filter((guideid) => !hidden.has(guideid));
  const pins = facts.prerequisite_releases?.filter((pin) => !hidden.has(pin.guideid));
  return { ...facts, prerequisites, ...(pins === undefined ? {} : { prerequisite_releases: pins }) };
}

/** The facts as JSON. Releases are inserted as JSON too, because many guides of a page may pin the same one. */
function withReleases({ prerequisite_releases: pins, ...facts }: GuideFacts, releases: ReleaseTexts): string {
  const text = JSON.stringify(facts);
  if (pins === undefined) return text;
  const parts = pins.map((pin) => {
    const pinned = JSON.stringify(pin);
    const released = releases.find(pin);
    return released === undefined ? pinned : `${pinned.slice(0, -1)},"released":${released}}`;
  });
  return `${text.slice(0, -1)},"prerequisite_releases":[${parts.join(',')}]}`;
}

/** For each guide with prerequisites, those that are deleted or in none of the `visible` audiences. */
async function prerequisitesOf(
  db: Db,
  visible: ReadonlySet<number>,
  guideids: number[],
): Promise<Map<number, Set<number>>> {
  const hidden = new Map<number, Set<number>>();
  for (const some of chunks(guideids)) {
    for (const { guideid, prerequisiteid, audience } of await prerequisiteAudiences(db, some)) {
      const ofGuide = hidden.get(guideid) ?? new Set<number>();
      hidden.set(guideid, ofGuide);
      if (audience === null || !visible.has(audience)) ofGuide.add(prerequisiteid);
    }
  }
  return hidden;
}

function prerequisiteAudiences(db: Db, guideids: readonly number[]) {
  return db
    .selectFrom('guide_prerequisites')
    .leftJoin('documents', (join) =>
      join
        .on('documents.collection', '=', 'guides')
        .on((eb) => eb('documents.id', '=', eb.cast<string>('guide_prerequisites.prerequisiteid', 'text'))),
    )
    .select(['guideid', 'prerequisiteid', 'audience'])
    .where('guideid', 'in', guideids)
    .execute();
}

/** The prerequisites that a guide names, with their audiences; null: deleted. */
export async function namedPrerequisites(
  db: Db,
  guideid: number,
): Promise<{ prerequisiteid: number; audience: number | null }[]> {
  return prerequisiteAudiences(db, [guideid]);
}

/** A query for the ids (as text) of guides that name a guide of these audiences as prerequisite. */
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
