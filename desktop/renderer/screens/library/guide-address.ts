import { archivedGuide } from '#desktop/engine/features/archives/ids.ts';
import { archivedGuideAddress } from '#desktop/engine/views/archived-guide.ts';

/** Address of a guide of the library or of an archive. */
export function guideHref(guideid: string): string {
  const archived = archivedGuide(guideid);
  return archived === null ? `/guides/${guideid}` : archivedGuideAddress(archived.archiveid, archived.place);
}
