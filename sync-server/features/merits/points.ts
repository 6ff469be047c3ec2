/**
 * What moves reputation, and by how much; a new account has 1. Every deed counts once per subject: doing it, taking it
 * back and doing it again moves nothing in the end, and nobody earns from what they do to their own guides.
 */
export const points = {
  /** A guide of the person is public: as long as it is. */
  'guide.published': 10,
  /** Somebody else keeps a guide of the person as a favourite: as long as they do. */
  'guide.favorited': 5,
  /** Somebody else completed a guide of the person: until they take it back. */
  'guide.completed': 2,
  /** The person edited a guide of somebody else: once per guide. */
  'guide.edited': 3,
  /** What the person wrote on a page of the wiki is shown: once per page, as long as it is there. */
  'wiki.edited': 2,
  /** The person has a comment on what is not their own: once per document, as long as one is there. */
  'comment.posted': 1,
} as const;

/** As many comments count within 24 hours: who says a word on everything earns no more than that. */
export const mostCommentsPerDay = 10;

export type MeritKind = keyof typeof points;
