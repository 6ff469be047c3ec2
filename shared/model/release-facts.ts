import { z } from 'zod';

import { guideVersion } from './guide.ts';
import { recordUid } from './record-uid.ts';
import { workedRevision } from './revision.ts';
import { stepForm } from './step-form.ts';

/**
 * A release of a guide as facts (feed collection `releases`), for everyone who sees the guide, so that planned orders can
 * name it offline. `date`: when it was released, UNIX seconds. `revision`: what was released, with the forms and the
 * approval of that time.
 */
export const releaseFacts = z.strictObject({
  releaseid: z.int(),
  uid: recordUid,
  guideid: z.int(),
  title: z.string(),
  date: z.int(),
  revision: workedRevision,
});
export type ReleaseFacts = z.infer<typeof releaseFacts>;

/**
 * The text of a release with the forms of its steps (feed collection `releaseTexts`). It exists only while a planned order
 * names the release, for those who are to do the order. The id is that of the release.
 */
export const releaseText = z.strictObject({
  releaseid: z.int(),
  uid: recordUid,
  guide: guideVersion,
  forms: z.array(stepForm),
});
export type ReleaseText = z.infer<typeof releaseText>;

/** A release as planned orders and entries of the work log name it. */
export const namedRelease = z.strictObject({ releaseid: z.int(), title: z.string() });
export type NamedRelease = z.infer<typeof namedRelease>;
