import { type ReactNode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';

import type { OpenKey } from '#desktop/ipc.ts';
import { must } from '#shared/must.ts';

import { comingWith } from './app.tsx';
import { FirstApp } from './first/first-app.tsx';
import { handOverAll } from './hand-over.ts';
import { type Bridge, findBridge } from './platform/bridge.ts';
import { followNotices, type Screens, trackActions } from './platform/notices.ts';
import { openDesktopEngine, openVolatileEngine } from './platform/open-engine.ts';
import { Restoring, StartFailed } from './screens/shell/starting.tsx';
import { formatLocale } from './text/language.ts';

/** Starts the app in a window of the desktop app: opens the engine as soon as there is a key, and asks people for what that needs. */
export async function startDesktop(place: HTMLElement): Promise<void> {
  const bridge = must(findBridge(), 'the main process');
  let root = createRoot(place);
  const confirmed = (screen: ReactNode): ReactNode => <FirstScreen bridge={bridge}>{screen}</FirstScreen>;
  const open = async ({ key }: OpenKey): Promise<void> => {
    root.render(<Restoring />);
    try {
      const tracked = trackActions(await openDesktopEngine(bridge, key));
      const screens = <FirstApp coming={comingWith(tracked.engine)} />;
      followNotices(bridge, tracked, whileOpen(screens));
      root.render(confirmed(screens));
    } catch (error) {
      root.render(<StartFailed error={error} />);
    }
  };
  const whileOpen = (screens: ReactNode): Screens => {
    let isEnded = false;
    return {
      handOver: handOverAll,
      end: () => {
        isEnded = true;
        root.unmount();
      },
      show: () => {
        if (!isEnded) return;
        isEnded = false;
        root = createRoot(place);
        root.render(screens);
      },
    };
  };
  // Without it, the main process goes on in the language that it has.
  bridge.useLanguage(formatLocale()).catch(() => undefined);
  root.render(<Restoring />);
  try {
    const first = await bridge.keyState();
    if (first.state === 'open') return await open(first);
    const { UnlockScreen } = await import('./screens/unlock/unlock-screen.tsx');
    const onOpen = (key: OpenKey): void => void open(key);
    root.render(
      confirmed(
        <UnlockScreen bridge={bridge} first={first} onOpen={onOpen} openEngine={openVolatileEngine} />,
      ),
    );
  } catch (error) {
    root.render(<StartFailed error={error} />);
  }
}

/** Says that this version works once its first screen is there, so that no start goes back to the one before an update. */
function FirstScreen({ bridge, children }: { bridge: Bridge; children: ReactNode }) {
  useEffect(() => void bridge.updateConfirm().catch(() => undefined), [bridge]);
  return children;
}
