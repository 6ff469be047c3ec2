import { Archive, Link2, FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';

import type { ArchiveCard } from '#desktop/engine/api/archive-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { RowList } from '#desktop/renderer/ui/list-row.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { Page } from '../shell/page.tsx';
import { AddressDialog } from './address-dialog.tsx';
import { ArchiveRow } from './archive-row.tsx';
import { CheckLink } from './check-link.tsx';
import { Imports } from './imports.tsx';
import { LeftArchives } from './left-archives.tsx';
import { ServerArchives } from './server-archives.tsx';
import { useOpening } from './opening.tsx';

/** The archives of this device and of the server. */
export function ArchivesScreen() {
  const archives = useLive('archives');
  const [asksAddress, setAsksAddress] = useState(false);
  return (
    <Page
      title={text.archives.title}
      lead={text.archives.lead}
      actions={
        <>
          <CheckLink />
          <Button icon={<Link2 aria-hidden="true" />} onPress={() => setAsksAddress(true)}>
            {text.archives.fromAddress}
          </Button>
          {archives.length > 0 && <OpenButton />}
        </>
      }
    >
      <LeftArchives />
      <OnDevice archives={archives} />
      <Imports />
      <ServerArchives />
      <AddressDialog isOpen={asksAddress} onClose={() => setAsksAddress(false)} />
    </Page>
  );
}

function OnDevice({ archives }: { archives: readonly ArchiveCard[] }) {
  if (archives.length === 0)
    return (
      <EmptyState icon={<Archive />} title={text.archives.emptyTitle} action={<OpenButton />}>
        {text.archives.empty}
      </EmptyState>
    );
  return (
    <Section title={text.archives.onDevice}>
      <RowList>
        {archives.map((archive) => (
          <ArchiveRow key={archive.archiveid} archive={archive} />
        ))}
      </RowList>
    </Section>
  );
}

/** Button that opens archive files of the device. */
function OpenButton() {
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
