import { FilePlus } from 'lucide-react';
import { FileTrigger } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import type { DocumentRef } from '#shared/model/guide.ts';

/** File types that servers accept as documents. */
const documentTypes = '.pdf .doc .docx .odt .xls .xlsx .ods .csv .ppt .pptx .odp .txt .md .zip'.split(' ');

/** Button that chooses documents of the device. */
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

/** Display name of a document. */
export function documentName({ text: title, extension }: DocumentRef): string {
  return extension === '' ? title : `${title}.${extension}`;
}
