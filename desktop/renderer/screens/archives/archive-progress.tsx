import type { ArchiveCard } from '#desktop/engine/api/archive-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatBytes, formatNumber } from '#desktop/renderer/text/format.ts';
import { ProgressBar } from '#desktop/renderer/ui/progress-bar.tsx';

/** Progress of downloading or reading; nothing when the archive is idle. */
export function ArchiveProgress({ archive: { progress, state } }: { archive: ArchiveCard }) {
  if (progress === null || progress.total === 0) return null;
  const { done, total } = progress;
  const label =
    state === 'reading'
      ? text.archives.progressGuides(formatNumber(done), formatNumber(total))
      : text.archives.progressBytes(formatBytes(done), formatBytes(total));
  return <ProgressBar label={label} value={done} of={total} />;
}
