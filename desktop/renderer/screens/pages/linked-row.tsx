import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';

import { ListRow, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';

interface LinkedRowProps {
  href: string;
  name: string;
  note: string;
  imageGuid: string | null;
  icon?: ReactNode;
}

/** A list row for a page, person or team; the whole row is the link. */
export function LinkedRow({ href, name, note, imageGuid, icon = <FileText /> }: LinkedRowProps) {
  return (
    <ListRow
      picture={imageGuid === null ? icon : <Picture guid={imageGuid} size="thumbnail" alt="" fit="cover" />}
    >
      <RowTitle href={href}>{name}</RowTitle>
      {note !== '' && <Note>{note}</Note>}
    </ListRow>
  );
}
