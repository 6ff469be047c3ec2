import { type ReactNode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';

import type { Engine } from '#desktop/engine/engine.ts';
import type { OpenKey } from '#desktop/ipc.ts';
import { must } from '#shared/must.ts';

import { App } from './app.tsx';
import { askBeforeLoss, handOverAll, handOverWhenHidden } from './hand-over.ts';
import { type Bridge, findBridge } from './platform/bridge.ts';
import { followNotices, type Screens, trackActions } from './platform/notices.ts';
import { openBrowserEngine, openDesktopEngine, openVolatileEngine } from './platform/open-engine.ts';
import { installTrustedTypes } from './platform/trusted-types.ts';
import { applyPreferences } from './preferences.ts';
import { Restoring, StartFailed } from './screens/shell/starting.tsx';
import { formatLocale } from './text/language.ts';

installTrustedTypes();
applyPreferences();
const place = must(document.getElementById('root'), 'the root element');
let root = createRoot(place);
const bridge = findBridge();
handOverWhenHidden();
// Not awaited here: modules that are imported on demand import this one, and would wait for it.
void (bridge === undefined ? startBrowser() : startDesktop(bridge));

function startBrowser(): Promise<void> {
  return start(async () => {
    const engine = await openBrowserEngine();
    askBeforeLoss(engine);
    return engine;
  });
}

async function start(open: () => Promise<Engine>): Promise<void> {
  root.render(<Restoring />);
  try {
    const engine = await open();
    root.render(
      <FirstScreen>
        <App engine={engine} />
      </FirstScreen>,
    );
  } catch (error) {
    root.render(<StartFailed error={error} />);
  }
}

/** Opens the engine as soon as there is a key, and asks people for what that needs. */
async function startDesktop(main: Bridge): Promise<void> {
  // Without it, the main process goes on in the language that it has.
  main.useLanguage(formatLocale()).catch(() => undefined);
  const open = ({ key }: OpenKey): void =>
    void start(async () => {
      const tracked = trackActions(await openDesktopEngine(main, key));
      followNotices(main, tracked, screensOf(tracked.engine));
      return tracked.engine;
    });
  root.render(<Restoring />);
  try {
    const first = await main.keyState();
    if (first.state === 'open') return open(first);
    const { UnlockScreen } = await import('./screens/unlock/unlock-screen.tsx');
    root.render(
      <FirstScreen>
        <UnlockScreen bridge={main} first={first} onOpen={open} openEngine={openVolatileEngine} />
      </FirstScreen>,
    );
  } catch (error) {
    root.render(<StartFailed error={error} />);
  }
}

function screensOf(engine: Engine): Screens {
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
      root.render(<App engine={engine} />);
    },
  };
}

/** Says that this version works once its first screen is there, so that no start goes back to the one before an update. */
function FirstScreen({ children }: { children: ReactNode }) {
  useEffect(() => void bridge?.updateConfirm().catch(() => undefined), []);
  return children;
}
