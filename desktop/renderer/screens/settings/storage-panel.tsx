import { useState, type ReactNode } from 'react';

import type { FileSum, RemovalObstacle, StorageUse } from '#desktop/engine/api/offline-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { offlineText } from '#desktop/renderer/text/en/offline.ts';
import { formatBytes } from '#desktop/renderer/text/format.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { ProgressBar } from '#desktop/renderer/ui/progress-bar.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { screens } from '#shared/rules/screens.ts';

import styles from './offline.module.css';

const words = offlineText.storage;

/**
 * The storage of this device.
 *
 * - CARRY-12 Each kind has its number and size. Only files that can be loaded again are removed here; archives and waiting
 *   work have a link to their screens. While files cannot be removed, the button is disabled and the reason is said. Files
 *   that stay because others need them are counted.
 */
export function StoragePanel() {
  const use = useLive('storageUse');
  return (
    <>
      <Space space={use.space} />
      <ul className={classNames(styles, 'kinds')}>
        <Kind
          name={words.records}
          note={words.recordsNote(use.guides, use.pages, use.workOrders)}
          size={use.recordBytes}
        />
        <Files name={words.pictures} sum={use.pictures} />
        <Files name={words.documents} sum={use.documents} />
        <Files name={words.videos} sum={use.videos} />
        {use.pictures.count + use.documents.count + use.videos.count > 0 && <Unneeded sum={use.unneeded} />}
        <Singles />
        {use.archives.count > 0 && (
          <Kind
            name={words.archives}
            note={words.archivesNote(use.archives.count)}
            size={use.archives.bytes}
            action={<ButtonLink href={screens.archives.path}>{words.toArchives}</ButtonLink>}
          />
        )}
        <Waiting {...use.waiting} />
      </ul>
    </>
  );
}

interface KindProps {
  name: string;
  note: string;
  /** Bytes; null: not known. */
  size: number | null;
  action?: ReactNode;
}

function Kind({ name, note, size, action }: KindProps) {
  return (
    <li className={classNames(styles, 'kind')}>
      <span className={classNames(styles, 'name')}>
        {name}
        <span className={classNames(styles, 'note')}>{note}</span>
      </span>
      {action !== undefined && <span className={classNames(styles, 'action')}>{action}</span>}
      <span className={classNames(styles, 'size')}>{size !== null && formatBytes(size)}</span>
    </li>
  );
}

function Files({ name, sum }: { name: string; sum: FileSum }) {
  if (sum.count === 0) return null;
  return <Kind name={name} note={words.files(sum.count)} size={sum.bytes} />;
}

function Unneeded({ sum }: { sum: FileSum | RemovalObstacle }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [left, setLeft] = useState(0);
  const isUnknown = typeof sum === 'string';
  if (!isUnknown && sum.count === 0) return null;
  const note = left > 0 ? words.left(left) : words.unneededNote;
  return (
    <Kind
      name={words.unneeded}
      note={isUnknown ? words.obstacles[sum] : note}
      size={isUnknown ? null : sum.bytes}
      action={
        <Button
          label={words.removeUnneeded}
          isPending={busy}
          isDisabled={isUnknown}
          onPress={() => act(async () => setLeft(await actions.removeUnneeded()))}
        >
          {words.remove}
        </Button>
      }
    />
  );
}

function Singles() {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const { singles } = useLive('offline');
  if (singles === 0) return null;
  return (
    <Kind
      name={words.singles}
      note={offlineText.guides(singles)}
      size={null}
      action={
        <Button
          label={words.removeSingles}
          isPending={busy}
          onPress={() => act(() => actions.removeSingles())}
        >
          {words.remove}
        </Button>
      }
    />
  );
}

function Waiting({ changes, drafts, files }: StorageUse['waiting']) {
  if (changes + drafts + files.count === 0) return null;
  return (
    <Kind
      name={words.waiting}
      note={words.waitingNote(changes, drafts)}
      size={files.bytes}
      action={<ButtonLink href={screens.sync.path}>{words.toSync}</ButtonLink>}
    />
  );
}

function Space({ space }: Pick<StorageUse, 'space'>) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [isRefused, setRefused] = useState(false);
  const [isKept, setKept] = useState(false);
  if (space === null) return null;
  const { used, free, isPersistent } = space;
  const isSafe = isPersistent || isKept;
  const ask = async () => {
    const isGranted = await actions.askToPersist();
    setKept(isGranted);
    setRefused(!isGranted);
  };
  return (
    <>
      <ProgressBar
        label={`${words.used}: ${formatBytes(used)} · ${words.free(formatBytes(free))}`}
        value={used}
        of={used + free}
      />
      <Row>
        <p className={classNames(styles, 'lead')}>{isSafe ? words.persistent : words.notPersistent}</p>
        {!isSafe && (
          <Button onPress={() => act(ask)} isPending={busy}>
            {words.persist}
          </Button>
        )}
      </Row>
      {isRefused && <p role="status">{words.refused}</p>}
    </>
  );
}
