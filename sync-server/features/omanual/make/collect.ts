import { z } from 'zod';

import { Problem } from '#shared/api/problem.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import { ArchiveTooLarge } from '#shared/formats/omanual/too-large.ts';
import type { Services } from '#server/core/services.ts';
import { readingContext } from '#server/core/job.ts';
import { madeFrom, newestSeq, outOfDate } from '#server/features/omanual/freshness.ts';
import { plannedArchives, type PlannedArchive } from '#server/features/omanual/plan.ts';
import { subtree, wholeSite } from '#server/features/omanual/selection.ts';
import { currentVersions, pruneVersions, publishVersion } from '#server/features/omanual/versions.ts';

import { jobKind, type RunningJob } from '../../../jobs/kind.ts';
import { buildArchive } from './build.ts';

/** Kind of the jobs that make versions of the collection's archives. */
export const collectKind = 'archive-collect';

const input = z.strictObject({ name: z.string(), base: z.string() });
export type CollectInput = z.infer<typeof input>;

/** Most attempts, if guides are hidden while their archive is written. */
const mostTries = 3;

/** Makes the current version of an archive of the collection. */
export const collectJob = jobKind({
  kind: collectKind,
  input,
  cursor: z.strictObject({}),
  result: z.strictObject({ sha256: z.string().nullable() }),
  async run(job, services) {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const made = await makeVersion(job, services);
      await pruneVersions(services);
      if (made !== undefined) return { sha256: made };
    }
    throw new Problem('invalid', 'Guides were hidden again and again while the archive was written');
  },
});

/**
 * The hash of the current version; null if there is nothing to make, undefined if a guide in it was hidden meanwhile.
 */
async function makeVersion(
  job: RunningJob<CollectInput, object>,
  services: Services,
): Promise<string | null | undefined> {
  const { name, base } = job.input;
  const ctx = await readingContext(services, null, base);
  // Before anything is read, so that concurrent changes count as newer.
  const seq = await newestSeq(ctx.db);
  const planned = (await plannedArchives(ctx.db, services, base)).find((one) => one.name === name);
  if (planned === undefined) return null;
  const versions = await currentVersions(ctx.db);
  const current = versions.get(name);
  if (current !== undefined && (await outOfDate(ctx.db, [planned], versions)).length === 0)
    return current.sha256;
  const selection = planned.category === null ? await wholeSite(ctx) : await subtree(ctx, planned.category);
  if (selection === undefined || selection.guideids.length === 0) return null;
  const built = await buildArchive(job, ctx, selection, {
    media: 'inside',
    nameOf: ({ sha256 }) => sha256,
  }).catch((error: unknown) => {
    throw error instanceof ArchiveTooLarge ? tooLarge(error, planned) : error;
  });
  const { title, category } = planned;
  const { sha256, size, shown } = built;
  const { guides, mentioned } = shown;
  const content = madeFrom(planned.content, seq, shown);
  const version = { name, title, category, content, sha256, size, guides, mentioned };
  const isSound = await services.storage.write(ownOrigin(services, 'make archives'), (tx) =>
    publishVersion(tx, version, Math.floor(services.now() / 1000)),
  );
  return isSound ? sha256 : undefined;
}

/** The error for an archive that is too large. It says which smaller archives are available, or what to change. */
function tooLarge({ what, message }: ArchiveTooLarge, { title, category }: PlannedArchive): Problem {
  if (what === 'document') return new Problem('invalid', message);
  const most = readLimits.members.toLocaleString('en');
  if (what === 'files')
    return new Problem(
      'invalid',
      category === null
        ? `The whole site has more than ${most} files, more than one archive can hold. Take the archives of its categories.`
        : `“${title}” has more than ${most} files, more than one archive can hold. Take the archives of the categories below it, or have one made of some of its guides.`,
    );
  return new Problem(
    'invalid',
    category === null
      ? 'The whole site is larger than one archive can be. Take the archives of its categories.'
      : `“${title}” is larger than one archive can be. Take the archives of the categories below it, or have one made of some of its guides.`,
  );
}
