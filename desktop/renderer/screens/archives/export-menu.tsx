import { Archive, CloudDownload, FileText, ListChecks, Share } from 'lucide-react';
import { useState } from 'react';

import type { ExportChoice, AskedGuides } from '#desktop/engine/api/archives.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatLocale } from '#desktop/renderer/text/language.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Menu, type MenuAction } from '#desktop/renderer/ui/menu.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { ChooseGuides, type ChoosableGuide } from './choose-guides.tsx';

const words = text.archives;

interface ExportMenuProps {
  choice: ExportChoice;
  /** A page shows one guide or one category, never a selection of guides. */
  offersPage: boolean;
  /** Guides of which some can be selected. */
  guides?: readonly ChoosableGuide[];
}

/** Menu that exports what is shown to a file, with or without a network. */
export function ExportMenu({ choice, offersPage, guides = [] }: ExportMenuProps) {
  const [isChoosing, setChoosing] = useState(false);
  const { exportArchive, exportPage, request, busy } = useExports(choice);
  const items: (MenuAction | false)[] = [
    {
      id: 'archive',
      name: words.asArchive,
      icon: <Archive aria-hidden="true" />,
      onAction: () => exportArchive(choice),
    },
    guides.length > 1 && {
      id: 'choose',
      name: words.choose,
      icon: <ListChecks aria-hidden="true" />,
      onAction: () => setChoosing(true),
    },
    offersPage && {
      id: 'page',
      name: words.asPage,
      icon: <FileText aria-hidden="true" />,
      onAction: exportPage,
    },
    request !== null && {
      id: 'request',
      name: words.request,
      icon: <CloudDownload aria-hidden="true" />,
      onAction: request,
    },
  ];
  return (
    <>
      <Menu
        label={words.export}
        trigger={
          <Button icon={<Share aria-hidden="true" />} isPending={busy}>
            {words.export}
          </Button>
        }
        groups={[{ id: 'export', items }]}
      />
      <ChooseGuides
        guides={guides}
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
        onExport={(guideids) => exportArchive({ guideids })}
      />
    </>
  );
}

/** The export actions. `request` is null while the server cannot build an archive of `choice`. */
function useExports(choice: ExportChoice) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const isOnline = useLive('syncState').connection === 'online';
  const asked = askedOf(choice);
  const exportArchive = (wanted: ExportChoice) =>
    act(async () => {
      showToast(words.exporting);
      const { archiveid, guides, linked } = await actions.exportArchive(wanted);
      showToast(linked === 0 ? words.exported(guides) : words.exportedLinked(guides, linked));
      await actions.saveArchive(archiveid, words.saveTitle);
    });
  const exportPage = () =>
    act(async () => {
      showToast(words.exporting);
      await actions.exportPage(choice, words.savePageTitle, formatLocale());
    });
  const request = (wanted: AskedGuides) =>
    act(async () => {
      await actions.requestArchive(wanted);
      showToast(words.requested);
    });
  return {
    exportArchive,
    exportPage,
    request: asked === null || !isOnline ? null : () => request(asked),
    busy,
  };
}

/** The guides to request from the server; null if one of them is not on the server yet. */
function askedOf(choice: ExportChoice): AskedGuides | null {
  if ('category' in choice) return choice;
  const guideids = choice.guideids.map(Number);
  return guideids.every((id) => Number.isInteger(id)) ? { guideids } : null;
}
