import { ArrowDown, ArrowUp, FilePlus, X } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import type { DocumentRef } from '#shared/model/guide.ts';

import { moved } from './moved.ts';
import styles from './supply-list.module.css';
import { useEditor } from './use-editor.ts';

/** What servers take as a document. */
export const documentTypes = '.pdf .doc .docx .odt .xls .xlsx .ods .csv .ppt .pptx .odp .txt .md .zip'.split(
  ' ',
);

/** The documents of the guide: files of this device, or what the person has uploaded before. */
export function Documents() {
  const { draft, desk, content, edit } = useEditor();
  const { documents } = draft.content;
  const change = (make: (now: readonly DocumentRef[]) => DocumentRef[]) =>
    void desk
      .flush()
      .then(() => edit({ op: 'setList', field: 'documents', value: make(content().documents) }));
  return (
    <>
      {documents.length === 0 ? (
        <p className={classNames(styles, 'nothing')}>{text.editor.noDocuments}</p>
      ) : (
        <ol className={classNames(styles, 'list')}>
          {documents.map((document, index) => (
            <li key={document.guid} className={classNames(styles, 'line')}>
              <span className={classNames(styles, 'words')}>{nameOf(document)}</span>
              {index > 0 && (
                <IconButton
                  label={text.editor.moveUp(nameOf(document))}
                  icon={<ArrowUp />}
                  onPress={() => change((now) => moved(now, index, -1))}
                />
              )}
              {index < documents.length - 1 && (
                <IconButton
                  label={text.editor.moveDown(nameOf(document))}
                  icon={<ArrowDown />}
                  onPress={() => change((now) => moved(now, index, 1))}
                />
              )}
              <IconButton
                label={text.editor.removeDocument(nameOf(document))}
                icon={<X />}
                onPress={() => change((now) => now.filter(({ guid }) => guid !== document.guid))}
              />
            </li>
          ))}
        </ol>
      )}
      <AddFile />
      <OwnDocuments onFound={(document) => change((now) => [...now, document])} />
    </>
  );
}

function AddFile() {
  const { draft, desk } = useEditor();
  const actions = useActions();
  const { act, busy } = useAct();
  const add = (files: File[]) =>
    act(async () => {
      await desk.flush();
      for (const file of files) await actions.addDraftDocument(draft.guideid, file, file.name);
    });
  return (
    <FileTrigger
      acceptedFileTypes={documentTypes}
      allowsMultiple
      onSelect={(files) => add([...(files ?? [])])}
    >
      <Button icon={<FilePlus aria-hidden="true" />} isPending={busy}>
        {text.editor.addDocument}
      </Button>
    </FileTrigger>
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
    .filter((document) => nameOf(document).toLowerCase().includes(wanted))
    .map((document) => ({ id: document.guid, name: nameOf(document) }));
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

function nameOf({ text: title, extension }: DocumentRef): string {
  return extension === '' ? title : `${title}.${extension}`;
}
