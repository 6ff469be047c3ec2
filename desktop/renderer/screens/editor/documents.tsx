import { useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import type { DocumentRef } from '#shared/model/guide.ts';

import { DocumentButton, documentName } from './document-button.tsx';
import { moved, OrderedList } from './ordered-list.tsx';
import { useEditor } from './use-editor.ts';

/** The documents of the guide: files of this device, or earlier uploads of the person. */
export function Documents() {
  const { draft, pendingEdits, content, edit } = useEditor();
  const actions = useActions();
  const { documents } = draft.content;
  const change = (make: (now: readonly DocumentRef[]) => DocumentRef[]) =>
    void pendingEdits
      .flush()
      .then(() => edit({ op: 'setList', field: 'documents', value: make(content().documents) }));
  const add = async (files: File[]) => {
    await pendingEdits.flush();
    for (const file of files) await actions.addDraftDocument(draft.guideid, file, file.name);
  };
  return (
    <>
      <OrderedList
        entries={documents.map((document) => ({ id: document.guid, name: documentName(document) }))}
        emptyWords={text.editor.noDocuments}
        removeLabel={text.editor.removeDocument}
        onMove={(index, by) => change((now) => moved(now, index, by))}
        onRemove={(removed) => change((now) => now.filter(({ guid }) => guid !== removed))}
      />
      <DocumentButton onChoose={add} />
      <OwnDocuments onFound={(document) => change((now) => [...now, document])} />
    </>
  );
}

function OwnDocuments({ onFound }: { onFound: (document: DocumentRef) => void }) {
  const { draft } = useEditor();
  const [words, setWords] = useState('');
  const taken = new Set(draft.content.documents.map(({ guid }) => guid));
  const free = draft.ownDocuments.filter(({ guid }) => !taken.has(guid));
  if (free.length === 0) return null;
  const wanted = words.trim().toLowerCase();
  const choices = free
    .filter((document) => documentName(document).toLowerCase().includes(wanted))
    .map((document) => ({ id: document.guid, name: documentName(document) }));
  return (
    <ComboField
      label={text.editor.ownDocument}
      choices={choices}
      input={words}
      onInput={setWords}
      onChoose={(guid) => {
        const chosen = free.find((document) => document.guid === guid);
        if (chosen === undefined) return;
        setWords('');
        onFound(chosen);
      }}
      emptyText={text.editor.noOwnDocument}
      openLabel={text.editor.openDocuments}
    />
  );
}
