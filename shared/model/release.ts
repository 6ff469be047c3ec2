import { z } from 'zod';

import { userSummary } from './user.ts';

/**
 * A released version of a guide (as on live servers). `revisionid` and `guide_revisionid` name the version; times are
 * UNIX seconds.
 */
export const release = z
  .strictObject({
    releaseid: z.int(),
    guideid: z.int(),
    langid: z.string(),
    revisionid: z.int(),
    guide_revisionid: z.int(),
    user: userSummary.nullable(),
    /** `pending`: it waits for its approval. */
    status: z.enum(['pending', 'released']),
    title: z.string(),
    init_date: z.int(),
    release_date: z.int().nullable(),
    notes: z.string(),
    type: z.enum(['major', 'minor']),
  })
  .meta({ id: 'Release' });
export type Release = z.infer<typeof release>;

/** A version of a guide, with its author and date. `revision_number`: as people count revisions of the guide: 1, 2, 3 … */
export const guideRevision = z
  .strictObject({
    guide_revisionid: z.int(),
    revisionid: z.int(),
    revision_number: z.int(),
    user: userSummary.nullable(),
    date: z.int(),
    title: z.string(),
  })
  .meta({ id: 'GuideRevision' });
export type GuideRevision = z.infer<typeof guideRevision>;
