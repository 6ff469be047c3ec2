import type { ArchivedIn } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';

/** A guide of an archive that is in the library too: the same thing, and the better place for work. */
export function ArchiveNote({ archive: { same } }: { archive: ArchivedIn }) {
  if (same === null) return null;
  return (
    <Notice
      tone="info"
      title={text.archives.inLibrary}
      action={<ButtonLink href={`/guides/${same}`}>{text.archives.openInLibrary}</ButtonLink>}
    >
      {text.archives.inLibraryHint}
    </Notice>
  );
}
