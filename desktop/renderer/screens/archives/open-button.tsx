import { FolderOpen } from 'lucide-react';
import { FileTrigger } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';

import { useOpening } from './opening.tsx';

/** Lets a person choose archives among their files. */
export function OpenButton() {
  const open = useOpening();
  return (
    <FileTrigger
      acceptedFileTypes={['.omanual', '.oman', '.zip', '.xml', 'application/zip']}
      allowsMultiple
      onSelect={(files) => open([...(files ?? [])])}
    >
      <Button tone="primary" icon={<FolderOpen aria-hidden="true" />}>
        {text.archives.open}
      </Button>
    </FileTrigger>
  );
}
