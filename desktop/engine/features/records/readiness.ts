import type { IndexedGuide } from './guide-index.ts';
import type { OfflineReadiness } from '#desktop/engine/api/records.ts';

/** What readiness is computed from. */
export interface ReadinessSources {
  find(guideid: string): Pick<IndexedGuide, 'files' | 'prerequisites'> | undefined;
  has(key: string): boolean;
  isAwaited(key: string): boolean;
  /** Whether the files of the app itself are on this device. */
  isAppKept: boolean;
}

/**
 * Whether every picture, document and own video of a guide and all its prerequisites is on this device. For a pinned
 * prerequisite, those of the release and of the present version are needed, because the site may turn releases off at
 * any time. Step forms come with the guides. A guide that is not in the index yet counts as missing. Until the app
 * itself is on this device, it counts as one more file (VIEW-5).
 */
export function readinessOf(guideid: string, sources: ReadinessSources): OfflineReadiness {
  const own = sources.find(guideid);
  const files = own?.prerequisites.length === 0 ? own.files : filesOf(guideid, sources);
  if (files === null) return { state: 'missing', bytes: null };
  const done = files.filter((key) => sources.has(key)).length;
  const isHere = done === files.length;
  if (isHere && sources.isAppKept) return { state: 'ready' };
  const total = files.length + (sources.isAppKept ? 0 : 1);
  const isDownloading = isHere || files.some((key) => sources.isAwaited(key));
  return isDownloading ? { state: 'downloading', done, total } : { state: 'missing', bytes: null };
}

/** The files of a guide and all its prerequisites; null when one of the guides is not on this device. */
function filesOf(guideid: string, sources: ReadinessSources): readonly string[] | null {
  const files = new Set<string>();
  const seen = new Set<string>();
  const open = [guideid];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const guide = sources.find(id);
    if (guide === undefined) return null;
    for (const key of guide.files) files.add(key);
    open.push(...guide.prerequisites);
  }
  return [...files];
}
