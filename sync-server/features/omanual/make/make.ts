import { z } from 'zod';

import { archiveLimits } from '#shared/api/omanual.ts';
import { invalid } from '#shared/api/problem.ts';
import { findingRecord } from '#shared/model/archive-record.ts';
import { ArchiveTooLarge } from '#shared/formats/omanual/too-large.ts';
import { readingContext } from '#server/core/job.ts';
import { listedFindings } from '#server/features/omanual/findings.ts';
import { chosen } from '#server/features/omanual/selection.ts';

import { jobKind } from '../../../jobs/kind.ts';
import { buildArchive } from './build.ts';

/** Kind of the jobs that make an archive for a person. */
export const makeKind = 'archive-make';

/** Retention of an archive that a person requested, seconds. */
export const keepMadeSeconds = 7 * 24 * 3600;

export const makeInput = z.strictObject({
  wanted: z.strictObject({
    guideids: z.array(z.int()).max(archiveLimits.guides).optional(),
    category: z.string().optional(),
    tag: z.string().optional(),
    site: z.literal(true).optional(),
  }),
  media: z.enum(['inside', 'links']),
  base: z.string(),
  title: z.string(),
  filename: z.string(),
});
export type MakeInput = z.infer<typeof makeInput>;

export const makeResult = z.strictObject({
  sha256: z.string(),
  size: z.int(),
  /** The guides in the file. A person who loses access to one of them loses access to the file. */
  shown: z.array(z.int()),
  guides: z.int(),
  findings: z.array(findingRecord),
  expires_date: z.int(),
});

/** Name of the archive file of a job. */
export function madeName(jobid: number): string {
  return `made-${jobid}`;
}

/** Makes an archive of guides that a person may see. */
export const makeJob = jobKind({
  kind: makeKind,
  input: makeInput,
  cursor: z.strictObject({}),
  result: makeResult,
  async run(job, services) {
    const ctx = await readingContext(services, job.userid, job.input.base);
    const selection = await chosen(ctx, job.input.wanted);
    const built = await buildArchive(job, ctx, selection, {
      media: job.input.media,
      nameOf: () => madeName(job.jobid),
    }).catch((error: unknown) => {
      throw error instanceof ArchiveTooLarge ? invalid('guideids', error.message) : error;
    });
    const { sha256, size, report, shown } = built;
    return {
      sha256,
      size,
      shown: [...new Set([...shown.guides, ...shown.mentioned])],
      guides: shown.guides.size,
      findings: listedFindings(report.findings),
      expires_date: Math.floor(services.now() / 1000) + keepMadeSeconds,
    };
  },
  abandon: (job, services) => services.archives.remove(madeName(job.jobid)),
});
