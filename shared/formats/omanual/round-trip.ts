import { z } from 'zod';

import { guideFacts, type GuideFacts } from '#shared/model/guide.ts';
import { wikiFacts, type WikiFacts } from '#shared/model/wiki.ts';

/**
 * Members of our own in an archive: what the format has no home for. `roundtrip.json` is about the package and its
 * index; each guide has a member of its own beside it, so that nobody must hold all of them in memory.
 */
export const roundTripFolder = 'x-benchbook/';
export const roundTripMember = `${roundTripFolder}roundtrip.json`;

/** Version of these members' shape. A reader that does not know it reads the archive as if they were not there. */
export const roundTripVersion = 1;

/** SHA-256 of the bytes of an XML member, in hex. */
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Where the bytes of a medium are, which facts name by `guid` (pictures in wiki text by `id`). */
export const roundTripMedia = z.strictObject({
  kind: z.enum(['image', 'video', 'document']),
  id: z.int(),
  guid: z.string().min(1),
  /** The member with the original bytes (a picture without markers); null: only linked. */
  member: z.string().min(1).nullable(),
  /** The member with the copy into which the markers are drawn, which the XML names; absent: there is none. */
  marked: z.string().min(1).optional(),
  /** Address of a linked one; absent: it is inside. */
  url: z.string().optional(),
  mime: z.string(),
  /** For a video: `url` of its encoding in the facts. */
  encoding: z.string().optional(),
});
export type RoundTripMedia = z.infer<typeof roundTripMedia>;

/** A guide's facts without what says who may see it or touched it, and without a device's temporary ids. */
export const archivedGuideFacts = guideFacts.omit({
  key: true,
  modified_userid: true,
  allowed_users: true,
  allowed_teams: true,
  archived_author: true,
});
export type ArchivedGuideFacts = z.infer<typeof archivedGuideFacts>;

/** A wiki's facts without a version that nobody patrolled and without a device's temporary id. */
export const archivedWikiFacts = wikiFacts.omit({ key: true, unpatrolled: true });
export type ArchivedWikiFacts = z.infer<typeof archivedWikiFacts>;

/** `x-benchbook/guide-{guideid}.json`: a guide as stored. */
export const roundTripGuide = z.strictObject({
  version: z.literal(roundTripVersion),
  /** The XML member it describes; believed only if the hash is that member's. */
  member: z.string().min(1),
  sha256,
  facts: archivedGuideFacts,
  author: z.string(),
  tags: z.array(z.string()),
  media: z.array(roundTripMedia),
});
export type RoundTripGuide = z.infer<typeof roundTripGuide>;

const roundTripCategory = z.strictObject({ facts: archivedWikiFacts, media: z.array(roundTripMedia) });
export type RoundTripCategory = z.infer<typeof roundTripCategory>;

/** `x-benchbook/roundtrip.json`. */
export const roundTripPackage = z.strictObject({
  version: z.literal(roundTripVersion),
  base: z.string(),
  title: z.string(),
  langid: z.string(),
  modified: z.int(),
  ancestors: z.array(z.string()),
  /** The index it describes; nothing here is believed unless the hash is that member's. */
  index: z.strictObject({
    member: z.string().min(1),
    sha256,
    /** Title of the category that the index is; null: it is no category of the site but stands for all it lists. */
    category: z.string().nullable(),
  }),
  /** All categories, the index's too; the format has room for one category document in a package. */
  categories: z.array(roundTripCategory),
  /** The guides, in the order of the index: their XML member and our own. */
  guides: z.array(z.strictObject({ member: z.string().min(1), roundTrip: z.string().min(1) })),
});
export type RoundTripPackage = z.infer<typeof roundTripPackage>;

/** Name of the member that keeps a guide as stored. */
export function roundTripGuideMember(guideid: number): string {
  return `${roundTripFolder}guide-${guideid}.json`;
}

/** What may leave the site with a guide; prerequisites that the reader may not see are taken out. */
export function guideFactsToArchive(facts: GuideFacts, visible: ReadonlySet<number>): ArchivedGuideFacts {
  const {
    key: _key,
    modified_userid: _by,
    allowed_users: _users,
    allowed_teams: _teams,
    archived_author: _author,
    prerequisite_releases: pins,
    ...rest
  } = facts;
  return {
    ...rest,
    prerequisites: facts.prerequisites.filter((guideid) => visible.has(guideid)),
    steps: facts.steps.map(({ key: _stepKey, ...step }) => step),
    ...(pins === undefined
      ? {}
      : {
          prerequisite_releases: pins.flatMap(({ guideid, releaseid }) =>
            visible.has(guideid) ? [{ guideid, releaseid }] : [],
          ),
        }),
  };
}

/** What may leave the site with a category. */
export function wikiFactsToArchive({
  key: _key,
  unpatrolled: _unpatrolled,
  ...facts
}: WikiFacts): ArchivedWikiFacts {
  return facts;
}
