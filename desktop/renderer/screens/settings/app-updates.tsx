import { useEffect, useState } from 'react';

import type { Engine, Live } from '#desktop/engine/engine.ts';
import type { UpdateState, UpdateStatus } from '#shared/model/update-state.ts';
import { useEngine } from '#desktop/renderer/engine-context.tsx';
import { handOverAll } from '#desktop/renderer/hand-over.ts';
import { findBridge } from '#desktop/renderer/platform/bridge.ts';
import { followUpdates, holdOf, type UpdateBridge } from '#desktop/renderer/platform/updates.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { ProgressBar } from '#desktop/renderer/ui/progress-bar.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';
import { screens } from '#shared/rules/screens.ts';

import styles from './settings-screen.module.css';

const words = text.updates;

/** Updates of the desktop app. Nothing in a browser, which gets the app from its server. */
export function AppUpdates() {
  const [bridge] = useState(() => findBridge());
  const [state, setState] = useState<UpdateState | null>(null);
  useEffect(() => (bridge === undefined ? undefined : followUpdates(bridge, setState)), [bridge]);
  if (bridge === undefined || state === null) return null;
  return (
    <SectionCard title={words.section}>
      <p>{words.installed(state.installed)}</p>
      <Status bridge={bridge} status={state.status} />
    </SectionCard>
  );
}

function Status({ bridge, status }: { bridge: UpdateBridge; status: UpdateStatus }) {
  const { server } = useLive('session');
  const { act, busy } = useAsyncAction();
  if (status.phase === 'off') return <p>{words.off}</p>;
  if (status.phase === 'asking' || status.phase === 'installing')
    return (
      <Notice tone="info" title={words.installing(status.version)}>
        {words.installingHint}
      </Notice>
    );
  if (status.phase === 'downloading')
    return <ProgressBar label={words.downloading(status.version)} value={status.percent} of={100} />;
  const isLooking = status.phase === 'looking';
  return (
    <>
      <Finding bridge={bridge} status={status} />
      <Row>
        {server !== null && (
          <Button isPending={busy || isLooking} onPress={() => act(() => bridge.updateLook())}>
            {words.check}
          </Button>
        )}
        <Button
          isDisabled={isLooking}
          onPress={() => act(() => bridge.updateFromFolder({ title: words.chooseFolder }))}
        >
          {words.fromFolder}
        </Button>
      </Row>
    </>
  );
}

type Found = Exclude<UpdateStatus, { phase: 'off' | 'asking' | 'installing' | 'downloading' }>;

function Finding({ bridge, status }: { bridge: UpdateBridge; status: Found }) {
  switch (status.phase) {
    case 'looking':
      return <p role="status">{words.looking}</p>;
    case 'current':
      return (
        <p role="status">
          {status.checkedAt === null ? words.notChecked : words.current(formatDate(status.checkedAt))}
        </p>
      );
    case 'ready':
      return <Ready bridge={bridge} status={status} />;
    case 'administrator':
      return (
        <Notice tone="info" title={words.ready(status.version)}>
          <p>{status.notes}</p>
          <LookFailed reason={status.lookFailed} />
          <p>{words.administrator}</p>
          <p className={classNames(styles, 'address')}>{status.path}</p>
          <p className={classNames(styles, 'address')}>{words.checksum(status.sha256)}</p>
        </Notice>
      );
    case 'download':
      return (
        <Notice tone="info" title={words.available(status.version)}>
          <p>{status.notes}</p>
          <p>{status.address === null ? words.askForIt : words.download}</p>
          {status.address !== null && (
            <a className={classNames(styles, 'address')} href={status.address}>
              {status.address}
            </a>
          )}
        </Notice>
      );
    case 'failed': {
      const { title, hint } = words.failures[status.reason];
      const version = status.version === null ? '' : ` ${words.left(status.version)}`;
      return (
        <Notice tone="danger" title={title}>
          {hint + version}
        </Notice>
      );
    }
  }
}

/** Why the last check found nothing else. */
function LookFailed({ reason }: { reason: Extract<UpdateStatus, { phase: 'ready' }>['lookFailed'] }) {
  return reason !== null && <p role="alert">{words.lookFailed(words.failures[reason].title)}</p>;
}

function Ready({
  bridge,
  status,
}: {
  bridge: UpdateBridge;
  status: Extract<UpdateStatus, { phase: 'ready' }>;
}) {
  const isOrderRunning = useLiveSoon('workOrders')?.some((order) => order.mine && order.running) ?? false;
  const { act, busy } = useAsyncAction();
  // The page knows about orders at every moment, and the main process only when it asks.
  const hold = isOrderRunning ? 'order' : status.hold === 'order' ? null : status.hold;
  return (
    <Notice tone="info" title={words.ready(status.version)}>
      <p>{status.notes}</p>
      <LookFailed reason={status.lookFailed} />
      <p role="status">{hold === null ? words.readyHint : words.holds[hold]}</p>
      <Row>
        <Button
          tone="primary"
          isDisabled={isOrderRunning}
          isPending={busy}
          onPress={() => act(() => bridge.updateInstall())}
        >
          {words.restart}
        </Button>
      </Row>
    </Notice>
  );
}

/** Tells the main process where to look for updates, and answers when it asks whether the app may be closed. */
export function UpdateKeeper() {
  const engine = useEngine();
  const { server } = useLive('session');
  useEffect(() => {
    findBridge()
      ?.updateFollow(server)
      .catch(() => undefined);
  }, [server]);
  useEffect(() => {
    const bridge = findBridge();
    if (bridge === undefined) return undefined;
    return followUpdates(bridge, ({ status }) => {
      if (status.phase === 'asking') void answer(bridge, engine, status.question);
    });
  }, [engine]);
  return null;
}

/** Without an answer the app is not closed. While a station is locked, nobody is at it, and its orders go on meanwhile. */
async function answer(bridge: UpdateBridge, engine: Engine, question: number): Promise<void> {
  try {
    const station = await firstOf(engine.views.station());
    const isLocked = station !== null && station.person === null;
    const hold = holdOf({
      isOrderRunning: !isLocked && (await runsOrder(engine)),
      isStored: await isStored(engine),
      isAway: !isLocked && location.pathname !== screens.settings.path,
    });
    await bridge.updateAnswer(question, hold);
  } catch {
    // The views cannot be read, or the program is closing.
  }
}

/** Whether everything that was typed is stored on this device. */
function isStored(engine: Engine): Promise<boolean> {
  handOverAll();
  return engine.save().then(
    () => true,
    () => false,
  );
}

/** Whether an order of the person is running. */
async function runsOrder({ views }: Engine): Promise<boolean> {
  const orders = await firstOf(views.workOrders());
  return orders.some(({ mine, running }) => mine && running);
}

/** The present value of a view. */
function firstOf<T>(view: Live<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = view.subscribe((value) => {
      resolve(value);
      queueMicrotask(() => stop());
    }, reject);
  });
}
