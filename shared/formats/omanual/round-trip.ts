import { z } from 'zod';

import { guideFacts, type GuideFacts } from '#shared/model/guide.ts';
import { wikiFacts, type WikiFacts } from '#shared/model/wiki.ts';

/**
 * Our own members in an archive, with everything that the format cannot represent. `roundtrip.json` is about the
 * package and its index. Each guide has a separate member, so that they need not all be in memory.
 */
export const roundTripFolder = 'x-benchbook/';
export const roundTripMember = `${roundTripFolder}roundtrip.json`;

/** Version of the schema of these members. A reader that does not know the version ignores them. */
export const roundTripVersion = 1;

/** SHA-256 of the bytes of an XML member, in hex. */
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The location of a medium. Facts refer to it by `guid` (pictures in wiki text by `id`). */
export const roundTripMedia = z.strictObject({
  kind: z.enum(['image', 'video', 'document']),
  id: z.int(),
  guid: z.string().min(1),
  /** The member with the original bytes (a picture without markers); null: only linked. */
  member: z.string().min(1).nullable(),
  /** The member with the copy that has the markers drawn in, to which the XML refers; absent: none. */
  marked: z.string().min(1).optional(),
  /** Address of linked media; absent: inside the archive. */
  url: z.string().optional(),
  mime: z.string(),
  /** For a video: the `url` of its encoding in the facts. */
  encoding: z.string().optional(),
});
export type RoundTripMedia = z.infer<typeof roundTripMedia>;

/** The facts of a guide, without those about people's access and edits, and without temporary ids of devices. */
export const archivedGuideFacts = guideFacts.omit({
  key: true,
  modified_userid: true,
  allowed_users: true,
  allowed_teams: true,
  archived_author: true,
});
export type ArchivedGuideFacts = z.infer<typeof archivedGuideFacts>;

/** The facts of a wiki, without an unpatrolled version and without the temporary id of a device. */
export const archivedWikiFacts = wikiFacts.omit({ key: true, unpatrolled: true });
export type ArchivedWikiFacts = z.infer<typeof archivedWikiFacts>;

/** `x-benchbook/guide-{guideid}.json`: a guide as stored. */
export const roundTripGuide = z.strictObject({
  version: z.literal(roundTripVersion),
  /** The XML member that it describes; trusted only if the hash matches. */
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
  /** The index that it describes; nothing is trusted unless the hash matches. */
  index: z.strictObject({
    member: z.string().min(1),
    sha256,
    /**
     * Title of the category that the index is; null: it is no category of the site and stands for everything it lists.
     */
    category: z.string().nullable(),
  }),
  /** All categories, including that of the index; the format allows one category document in a package. */
  categories: z.array(roundTripCategory),
  /** The guides, in the order of the index: their XML member and our own. */
  guides: z.array(z.strictObject({ member: z.string().min(1), roundTrip: z.string().min(1) })),
});
export type RoundTripPackage = z.infer<typeof roundTripPackage>;

/** Name of the round-trip member of a guide. */
export function roundTripGuideMember(guideid: number): string {
  return `${roundTripFolder}guide-${guideid}.json`;
}

/** The facts of a guide that an archive may contain, without prerequisites that the reader may not see. */
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

/** The facts of a category that an archive may contain. */
export function wikiFactsToArchive({
  key: _key,
  unpatrolled: _unpatrolled,
  ...facts
}: WikiFacts): ArchivedWikiFacts {
  return facts;
}
