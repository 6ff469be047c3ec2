import { FilePlus } from 'lucide-react';
import { FileTrigger } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import type { DocumentRef } from '#shared/model/guide.ts';

/** What servers take as a document. */
const documentTypes = '.pdf .doc .docx .odt .xls .xlsx .ods .csv .ppt .pptx .odp .txt .md .zip'.split(' ');

/** Lets the person choose documents among the files of this device. */
export function DocumentButton({ onChoose }: { onChoose: (files: File[]) => Promise<void> }) {
  const { act, busy } = useAsyncAction();
  return (
    <FileTrigger
      acceptedFileTypes={documentTypes}
      allowsMultiple
      onSelect={(files) => act(() => onChoose([...(files ?? [])]))}
    >
      <Button icon={<FilePlus aria-hidden="true" />} isPending={busy}>
        {text.editor.addDocument}
      </Button>
    </FileTrigger>
  );
}

/** What a document is called. */
export function documentName({ text: title, extension }: DocumentRef): string {
  return extension === '' ? title : `${title}.${extension}`;
}
