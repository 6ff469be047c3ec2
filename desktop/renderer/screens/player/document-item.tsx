import { FileText } from 'lucide-react';

import type { DocumentView } from '#desktop/engine/views/records.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import styles from './overview-page.module.css';

/** Opened from this device where it is here, so that it can be read without a network, else from the server. */
export function DocumentItem({ document }: { document: DocumentView }) {
  const here = useLiveSoon('document', document.guid) ?? null;
  const filename = [document.title, document.extension].filter((part) => part !== '').join('.');
  const words = (
    <>
      <FileText aria-hidden="true" />
      <span>{document.title}</span>
      <span className={classNames(styles, 'note')}>{document.extension.toUpperCase()}</span>
    </>
  );
  const item = classNames(styles, 'item');
  if (here === null && document.url === null) return <li className={item}>{words}</li>;
  return (
    <li>
      {here === null ? (
        <a className={item} href={document.url ?? ''} target="_blank" rel="noreferrer">
          {words}
        </a>
      ) : (
        <a className={item} href={here} download={filename}>
          {words}
        </a>
      )}
    </li>
  );
}
