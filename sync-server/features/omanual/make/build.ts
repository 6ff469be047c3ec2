import type { WriteReport } from '#shared/formats/omanual/content.ts';
import { writeArchive } from '#shared/formats/omanual/write.ts';
import type { Context } from '#server/core/context.ts';
import type { WrittenFile } from '#server/features/omanual/archive-files.ts';
import { archiveContent, nothingShown, type Shown } from '#server/features/omanual/content.ts';
import { drawMarkers } from '#server/features/omanual/draw-markers.ts';
import type { Selection } from '#server/features/omanual/selection.ts';

import type { RunningJob } from '../../../jobs/kind.ts';

/** An archive on disk, with its report and content. */
export interface BuiltArchive extends WrittenFile {
  report: WriteReport;
  shown: Shown;
}

/**
 * Writes an archive of a selection, as `ctx.viewer` may see it. Yields to requests between guides. Throws
 * ArchiveTooLarge.
 */
export async function buildArchive(
  job: Pick<RunningJob<never, never>, 'pause' | 'progress' | 'signal'>,
  ctx: Context,
  selection: Selection,
  options: { media: 'inside' | 'links'; nameOf: (file: WrittenFile) => string },
): Promise<BuiltArchive> {
  const shown = nothingShown();
  const total = selection.guideids.length;
  const content = await archiveContent(ctx, selection, shown, async (done) => {
    await job.pause();
    job.progress(done, total, 'Writing guides');
  });
  const { media, nameOf } = options;
  const { made, ...file } = await ctx.services.archives.write(
    (sink) => writeArchive(content, sink, { media, marked: drawMarkers, signal: job.signal }),
    nameOf,
  );
  job.progress(total, total, 'Written');
  return { ...file, report: made, shown };
}
