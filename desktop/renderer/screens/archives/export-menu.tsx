import { Archive, CloudDownload, FileText, Share } from 'lucide-react';

import type { ExportChoice } from '#desktop/engine/archives/export/content.ts';
import type { AskedGuides } from '#desktop/engine/archives/collection.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Menu } from '#desktop/renderer/ui/menu.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

const words = text.archives;

interface ExportMenuProps {
  choice: ExportChoice;
  /** A selection of guides makes no page: a page is one guide, or one category. */
  offersPage: boolean;
}

/** Takes what is shown along as a file, with or without a network. */
export function ExportMenu({ choice, offersPage }: ExportMenuProps) {
  const actions = useActions();
  const { act, busy } = useAct();
  const isOnline = useLive('syncState').connection === 'online';
  const asked = askedOf(choice);
  const exportArchive = async () => {
    showToast(words.exporting);
    const { archiveid, guides, linked } = await actions.exportArchive(choice);
    showToast(linked === 0 ? words.exported(guides) : words.exportedLinked(guides, linked));
    await actions.saveArchive(archiveid, words.saveTitle);
  };
  const exportPage = async () => {
    showToast(words.exporting);
    await actions.exportPage(choice, words.savePageTitle);
  };
  const request = async () => {
    if (asked === null) return;
    await actions.requestArchive(asked);
    showToast(words.requested);
  };
  return (
    <Menu
      label={words.export}
      trigger={
        <Button icon={<Share aria-hidden="true" />} isPending={busy}>
          {words.export}
        </Button>
      }
      groups={[
        {
          id: 'export',
          items: [
            {
              id: 'archive',
              name: words.asArchive,
              icon: <Archive aria-hidden="true" />,
              onAction: () => act(exportArchive),
            },
            ...(offersPage
              ? [
                  {
                    id: 'page',
                    name: words.asPage,
                    icon: <FileText aria-hidden="true" />,
                    onAction: () => act(exportPage),
                  },
                ]
              : []),
            ...(isOnline && asked !== null
              ? [
                  {
                    id: 'request',
                    name: words.request,
                    icon: <CloudDownload aria-hidden="true" />,
                    onAction: () => act(request),
                  },
                ]
              : []),
          ],
        },
      ]}
    />
  );
}

/** What the server is asked for; null when it knows one of the guides not yet. */
function askedOf(choice: ExportChoice): AskedGuides | null {
  if ('category' in choice) return choice;
  const guideids = choice.guideids.map(Number);
  return guideids.every((id) => Number.isInteger(id)) ? { guideids } : null;
}
