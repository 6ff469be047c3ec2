import { FileText } from 'lucide-react';

import type { DocumentView } from '#desktop/engine/api/records.ts';
import { panelItem, panelNote } from '#desktop/renderer/ui/panel.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

/**
 * A document. It opens from this device if it is stored here, which works offline, otherwise from the server.
 */
export function DocumentItem({ document }: { document: DocumentView }) {
  const localUrl = useLiveSoon('document', document.guid) ?? null;
  const filename = [document.title, document.extension].filter((part) => part !== '').join('.');
  const words = (
    <>
      <FileText aria-hidden="true" />
      <span>{document.title}</span>
      <span className={panelNote}>{document.extension.toUpperCase()}</span>
    </>
  );
  if (localUrl === null && document.url === null) return <li className={panelItem}>{words}</li>;
  return (
    <li>
      {localUrl === null ? (
        <a className={panelItem} href={document.url ?? ''} target="_blank" rel="noreferrer">
          {words}
        </a>
      ) : (
        <a className={panelItem} href={localUrl} download={filename}>
          {words}
        </a>
      )}
    </li>
  );
}
