import type { ArchivedGuide } from '#shared/formats/omanual/archive.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import type { ImportRow } from '#server/features/omanual/import/import-rows.ts';

import { contextForJob } from '../../../core/job.ts';
import { ImportedIds, reserveIds, type IdChoice } from '../../guides/import/ids.ts';
import { existingGuide, type Origin, type Recognisable } from './existing.ts';

/** A guide's numbers, and the fields by which it is recognised. */
export interface NumberedGuide extends Recognisable {
  guideid: number;
  stepids: number[];
}

/** Number of guides whose numbers are reserved in one transaction. */
export const reservedTogether = 16;

export function numberedGuide({ foreignId, facts }: ArchivedGuide): NumberedGuide {
  const { guideid, title, category, type, langid, steps } = facts;
  return {
    foreignId,
    guideid,
    stepids: steps.map((step) => step.stepid),
    facts: { title, category, type, langid },
  };
}

/** Reserves numbers for guides and their steps, or stores the numbers of existing guides. */
export async function reserveNumbers(
  services: Services,
  { importid, userid, existing }: Pick<ImportRow, 'importid' | 'userid' | 'existing'>,
  guides: readonly NumberedGuide[],
  { origin, choice }: { origin: Origin; choice: IdChoice },
): Promise<void> {
  await contextForJob(services, userid, async (ctx) => {
    const ids = new ImportedIds(ctx, mappingOf(importid));
    for (const { guideid, stepids, ...guide } of guides) {
      if (existing !== 'new') {
        const known = await existingGuide(ctx, guide, origin);
        const mapped = await ids.find('guide', guideid);
        if (known !== undefined && mapped === undefined) await ids.remember('guide', guideid, known.guideid);
      }
      await reserveIds(ctx, ids, { guideid, stepids }, choice, userid);
    }
  });
}

/** Deletes the mapping of numbers, which is needed only while the import runs. */
export async function forgetMapping(services: Services, importid: number): Promise<void> {
  await services.storage.write(ownOrigin(services, 'import'), (tx) =>
    tx.deleteFrom('imported_ids').where('site', '=', mappingOf(importid)).execute(),
  );
}

export function mappingOf(importid: number): string {
  return `import:${importid}`;
}
