import { FileText } from 'lucide-react';
import type { MouseEvent } from 'react';

import type { DocumentView } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { findBridge } from '#desktop/renderer/platform/bridge.ts';
import { saveDocument } from '#desktop/renderer/platform/save-file.ts';
import { panelItem, panelNote } from '#desktop/renderer/ui/panel.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

/**
 * A document. It opens from this device if it is stored here, which works offline, otherwise from the server.
 *
 * - ELECTRON-93 In the desktop app, a document that is stored here is saved where the person chooses.
 */
export function DocumentItem({ document }: { document: DocumentView }) {
  const localUrl = useLiveSoon('document', document.guid) ?? null;
  const filename = [document.title, document.extension].filter((part) => part !== '').join('.');
  const actions = useActions();
  const { act } = useAsyncAction();
  const save = (event: MouseEvent): void => {
    // The file of an archive may be only an address.
    if (findBridge() === undefined || localUrl?.startsWith('blob:') !== true) return;
    event.preventDefault();
    act(async () => saveDocument(filename, document.extension, await actions.readDocument(document.guid)));
  };
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
        <a className={panelItem} href={localUrl} download={filename} onClick={save}>
          {words}
        </a>
      )}
    </li>
  );
}
