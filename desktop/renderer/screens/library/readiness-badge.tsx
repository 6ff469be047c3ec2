import type { GuideSummaryCard, OfflineReadiness } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatBytes, formatNumber } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';

function readinessText(readiness: OfflineReadiness): string {
  const words = text.library.readiness;
  switch (readiness.state) {
    case 'ready':
      return words.ready;
    case 'missing':
      return readiness.bytes === null ? words.missing : words.missingBytes(formatBytes(readiness.bytes));
    case 'downloading':
      return words.downloading(formatNumber(readiness.done), formatNumber(readiness.total));
    default:
      return readiness satisfies never;
  }
}

/** The readiness that most guides have. */
export type UsualReadiness = 'ready' | 'missing';

/**
 * The readiness of most of these guides.
 *
 * - FIND-8 Cards say only what is unusual: "Not downloaded" where most guides are ready offline, "Ready offline" where most
 *   are not, and what is being downloaded. The line below the title counts.
 */
export function usualOf(guides: readonly Pick<GuideSummaryCard, 'readiness'>[]): UsualReadiness {
  const ready = guides.filter(({ readiness: { state } }) => state === 'ready').length;
  return ready * 2 >= guides.length ? 'ready' : 'missing';
}

const tones = { ready: 'ok', missing: 'neutral', downloading: 'accent' } as const;

/** Whether everything a guide needs is on this device. */
export function ReadinessBadge({
  readiness,
  look = 'dot',
}: {
  readiness: OfflineReadiness;
  look?: 'dot' | 'floating';
}) {
  return (
    <Badge tone={tones[readiness.state]} look={look}>
      {readinessText(readiness)}
    </Badge>
  );
}
