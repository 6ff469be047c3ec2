import { z } from 'zod';

import { guideVersion } from './guide.ts';
import { recordUid } from './record-uid.ts';
import { stepForm } from './step-form.ts';

/**
 * The text of the revision that an order is bound to, with the forms of its steps (feed collection `workVersions`). It
 * exists only while the guide has another revision, so that the steps of an order never change under the hands of the
 * person. The id is that of the order.
 */
export const workVersion = z.strictObject({
  entryid: z.int(),
  uid: recordUid,
  guide: guideVersion,
  forms: z.array(stepForm),
});
export type WorkVersion = z.infer<typeof workVersion>;
