import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';

import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';

import styles from './pages.module.css';

interface LinkedRowProps {
  href: string;
  name: string;
  note: string;
  imageGuid: string | null;
  icon?: ReactNode;
}

/** A page, person or team in a list; the whole row leads there. */
export function LinkedRow({ href, name, note, imageGuid, icon = <FileText /> }: LinkedRowProps) {
  return (
    <li className={classNames(styles, 'row')}>
      <span className={classNames(styles, 'thumb')} aria-hidden="true">
        {imageGuid === null ? icon : <Picture guid={imageGuid} size="thumbnail" alt="" fit="cover" />}
      </span>
      <span className={classNames(styles, 'words')}>
        <span className={classNames(styles, 'name')}>
          <Link className={classNames(styles, 'link')} href={href}>
            {name}
          </Link>
        </span>
        {note !== '' && <span className={classNames(styles, 'note')}>{note}</span>}
      </span>
    </li>
  );
}
