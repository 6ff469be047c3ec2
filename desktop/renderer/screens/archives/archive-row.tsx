import {
  Archive,
  CircleAlert,
  Ellipsis,
  FileDown,
  FileText,
  Pause,
  Play,
  RefreshCw,
  Save,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';

import type { ArchiveCard } from '#desktop/engine/api/archive-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatBytes, formatSince, formatNumber } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { ListRow, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Menu, type MenuAction } from '#desktop/renderer/ui/menu.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';
import { ProgressBar } from '#desktop/renderer/ui/progress-bar.tsx';

import styles from './archives.module.css';
import { ImportDialog } from './import-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { ReportDialog } from './report-dialog.tsx';

const words = text.archives;

/** Roles that may import archives into the library. */
const editors = new Set(['Author', 'Moderator', 'Admin']);

const tones: Record<ArchiveCard['state'], Tone> = {
  ready: 'ok',
  reading: 'neutral',
  fetching: 'neutral',
  paused: 'neutral',
  'broken-off': 'warn',
  unusable: 'danger',
};

/** An archive of this device: its contents, origin and state, and the actions for it. */
export function ArchiveRow({ archive }: { archive: ArchiveCard }) {
  const isUnusable = archive.state === 'unusable';
  const isReadable = archive.state === 'ready' || archive.state === 'reading' || archive.guides > 0;
  const now = useNow();
  return (
    <ListRow
      tone={isUnusable ? 'broken' : 'plain'}
      icon={isUnusable ? <CircleAlert /> : <Archive />}
      end={<NextMove archive={archive} />}
      menu={<ArchiveMenu archive={archive} />}
    >
      <RowTitle as="heading" href={isReadable ? `/archives/${archive.archiveid}` : undefined}>
        {archive.title}
      </RowTitle>
      <Note>{factsOf(archive)}</Note>
      <Note>{originOf(archive, now)}</Note>
      {archive.problem !== null && (
        <p className={classNames(styles, 'problem')}>{refusedWords(archive.problem)}</p>
      )}
      {isUnusable && <Note>{words.unusableHint}</Note>}
      <ArchiveProgress archive={archive} />
      <Marks archive={archive} />
    </ListRow>
  );
}

function factsOf({ guides, bytes, filename }: ArchiveCard): string {
  const size = bytes === 0 ? '' : formatBytes(bytes);
  return [guides === 0 ? '' : words.guides(guides), size, filename].filter((part) => part !== '').join(' · ');
}

function originOf({ origin, from, addedAt }: ArchiveCard, now: number): string {
  return [...words.origins[origin](host(from)), words.added(formatSince(addedAt, now))].join(' · ');
}

function host(address: string): string {
  return URL.parse(address)?.host ?? address;
}

function Marks({
  archive: { state, linked, findings, isOutdated, private: isPrivate },
}: {
  archive: ArchiveCard;
}) {
  return (
    <div className={classNames(styles, 'marks')}>
      <Badge tone={tones[state]} look="dot">
        {state === 'ready' && linked ? words.readyButLinked : words.states[state]}
      </Badge>
      {isOutdated && <Badge tone="accent">{words.outdated}</Badge>}
      {isPrivate && <Badge>{words.private}</Badge>}
      {findings > 0 && <Badge>{words.findings(findings)}</Badge>}
    </div>
  );
}

/** Button for the most likely action: pause, resume, or fetch the newer version. */
function NextMove({ archive: { archiveid, state, serverName, isOutdated } }: { archive: ArchiveCard }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const isStopped = state === 'paused' || state === 'broken-off';
  return (
    <>
      {state === 'fetching' && (
        <Button
          icon={<Pause aria-hidden="true" />}
          onPress={() => act(() => actions.pauseDownload(archiveid))}
        >
          {words.pause}
        </Button>
      )}
      {isStopped && (
        <Button
          icon={<Play aria-hidden="true" />}
          onPress={() => act(() => actions.resumeDownload(archiveid))}
        >
          {words.resume}
        </Button>
      )}
      {isOutdated && serverName !== null && (
        <Button
          icon={<RefreshCw aria-hidden="true" />}
          onPress={() => act(() => actions.downloadArchive(serverName))}
        >
          {words.update}
        </Button>
      )}
    </>
  );
}

function ArchiveMenu({ archive }: { archive: ArchiveCard }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const [shown, setShown] = useState<'report' | 'import' | 'remove' | null>(null);
  const { user } = useLive('session');
  const close = () => setShown(null);
  const { archiveid, title, state } = archive;
  const mayImport = user !== null && user.privileges.some((one) => editors.has(one));
  const isReady = state === 'ready';
  const items: (MenuAction | false)[] = [
    isReady &&
      mayImport && {
        id: 'import',
        name: words.importInto,
        icon: <FileDown aria-hidden="true" />,
        onAction: () => setShown('import'),
      },
    isReady && {
      id: 'save',
      name: words.saveAs,
      icon: <Save aria-hidden="true" />,
      onAction: () => act(() => actions.saveArchive(archiveid, words.saveTitle)),
    },
    isReady && {
      id: 'report',
      name: words.showReport,
      icon: <FileText aria-hidden="true" />,
      onAction: () => setShown('report'),
    },
    {
      id: 'remove',
      name: words.remove,
      icon: <Trash2 aria-hidden="true" />,
      tone: 'danger',
      onAction: () => setShown('remove'),
    },
  ];
  return (
    <>
      <Menu
        label={words.menuOf(title)}
        trigger={<IconButton label={words.menuOf(title)} icon={<Ellipsis />} />}
        groups={[{ id: 'more', items }]}
      />
      <ReportDialog archiveid={archiveid} isOpen={shown === 'report'} onClose={close} />
      <ImportDialog archive={archive} isOpen={shown === 'import'} onClose={close} />
      <RemoveDialog archive={archive} isOpen={shown === 'remove'} onClose={close} />
    </>
  );
}

/** Progress of downloading or reading; nothing when the archive is idle. */
export function ArchiveProgress({ archive: { progress, state } }: { archive: ArchiveCard }) {
  if (progress === null || progress.total === 0) return null;
  const { done, total } = progress;
  const label =
    state === 'reading'
      ? text.archives.progressGuides(formatNumber(done), formatNumber(total))
      : text.archives.progressBytes(formatBytes(done), formatBytes(total));
  return <ProgressBar label={label} value={done} of={total} />;
}
