import { z } from 'zod';

/**
 * A revision of a guide as people count them: 1, 2, 3 … for each guide. `date`: when it was saved, UNIX seconds. Numbers of
 * the database (`guide_revisionid`) name stored versions; two versions with the same content have the same count.
 */
export const countedRevision = z.strictObject({ number: z.int().min(1), date: z.int() });
export type CountedRevision = z.infer<typeof countedRevision>;

/**
 * The revision of a guide by which an order is worked. `form_revisionid`: the highest revision among the forms of its own
 * steps; 0: no forms. `approval`: whether it was approved at that time; absent: the guide has no approval process.
 * `unsaved`: the person worked by changes of their own that the server did not have yet.
 */
export const workedRevision = z.strictObject({
  guide_revisionid: z.int(),
  form_revisionid: z.int(),
  counted: countedRevision.optional(),
  approval: z.enum(['approved', 'unapproved']).optional(),
  unsaved: z.literal(true).optional(),
});
export type WorkedRevision = z.infer<typeof workedRevision>;

/**
 * A decision about the revision of an order. `start`: the work began by it. `switch`: the guide had changed, and the person
 * went on by this revision. `keep`: the person saw this revision and went on by the one before. `at`: ms since 1970, on
 * the server's clock.
 */
export const revisionDecision = z.strictObject({
  decision: z.enum(['start', 'switch', 'keep']),
  ...workedRevision.shape,
  userid: z.int(),
  at: z.number(),
});
export type RevisionDecision = z.infer<typeof revisionDecision>;
