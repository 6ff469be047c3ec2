import { useState } from 'react';

import type { PageVersion, WikiPage } from '#desktop/engine/api/page-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Facts, Panel, PanelList, panelItem } from '#desktop/renderer/ui/panel.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

/** The authors of the page. Earlier versions are loaded from the server on demand. */
export function PageHistory({ page }: { page: WikiPage }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [versions, setVersions] = useState<PageVersion[] | null>(null);
  const [wanted, setWanted] = useState<PageVersion | null>(null);
  if (page.createdAt === null) return null;
  const revert = () => {
    if (wanted === null) return;
    act(async () => {
      await actions.revertPage(page.wikiid, wanted.revisionid);
      showToast(text.pages.reverted);
    });
  };
  return (
    <Panel title={text.pages.history}>
      <Facts
        facts={[
          [text.pages.edited, text.pages.version(page.author, formatDate(page.modifiedAt))],
          [text.pages.created, formatDate(page.createdAt)],
        ]}
      />
      {versions === null ? (
        <Button
          isPending={busy}
          onPress={() => act(async () => setVersions(await actions.pageVersions(page.wikiid)))}
        >
          {text.pages.showHistory}
        </Button>
      ) : (
        <PanelList>
          {versions.map((version, index) => {
            const name = text.pages.version(version.author, formatDate(version.at));
            return (
              <li key={version.revisionid} className={panelItem}>
                <span>{name}</span>
                {index > 0 && page.canEdit && page.editState === 'none' && (
                  <Button label={text.pages.revertTo(name)} onPress={() => setWanted(version)}>
                    {text.pages.revert}
                  </Button>
                )}
              </li>
            );
          })}
        </PanelList>
      )}
      <ConfirmDialog
        title={text.pages.revertTitle}
        isOpen={wanted !== null}
        onClose={() => setWanted(null)}
        confirmLabel={text.pages.revert}
        cancelLabel={text.app.cancel}
        tone="primary"
        onConfirm={revert}
      >
        {wanted === null
          ? ''
          : text.pages.revertBody(text.pages.version(wanted.author, formatDate(wanted.at)))}
      </ConfirmDialog>
    </Panel>
  );
}
