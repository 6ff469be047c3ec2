import { Archive, CloudDownload, FileText, ListChecks, Share } from 'lucide-react';
import { useState } from 'react';

import type { ExportChoice } from '#desktop/engine/archives/export/content.ts';
import type { AskedGuides } from '#desktop/engine/archives/collection.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Menu } from '#desktop/renderer/ui/menu.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { ChooseGuides, type ChoosableGuide } from './choose-guides.tsx';

const words = text.archives;

interface ExportMenuProps {
  choice: ExportChoice;
  /** A selection of guides makes no page: a page is one guide, or one category. */
  offersPage: boolean;
  /** Guides of which some can be picked; absent: there is nothing to pick from. */
  guides?: readonly ChoosableGuide[];
}

/** Takes what is shown along as a file, with or without a network. */
export function ExportMenu({ choice, offersPage, guides = [] }: ExportMenuProps) {
  const [isChoosing, setChoosing] = useState(false);
  const actions = useActions();
  const { act, busy } = useAct();
  const isOnline = useLive('syncState').connection === 'online';
  const asked = askedOf(choice);
  const exportArchive = async (wanted: ExportChoice) => {
    showToast(words.exporting);
    const { archiveid, guides: count, linked } = await actions.exportArchive(wanted);
    showToast(linked === 0 ? words.exported(count) : words.exportedLinked(count, linked));
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
    <>
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
                onAction: () => act(() => exportArchive(choice)),
              },
              ...(guides.length > 1
                ? [
                    {
                      id: 'choose',
                      name: words.choose,
                      icon: <ListChecks aria-hidden="true" />,
                      onAction: () => setChoosing(true),
                    },
                  ]
                : []),
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
      <ChooseGuides
        guides={guides}
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
        onExport={(guideids) => act(() => exportArchive({ guideids }))}
      />
    </>
  );
}

/** What the server is asked for; null when it knows one of the guides not yet. */
function askedOf(choice: ExportChoice): AskedGuides | null {
  if ('category' in choice) return choice;
  const guideids = choice.guideids.map(Number);
  return guideids.every((id) => Number.isInteger(id)) ? { guideids } : null;
}
