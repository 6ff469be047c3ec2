import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { useEngine } from '#desktop/renderer/engine-context.tsx';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Loading } from '#desktop/renderer/ui/loading.tsx';

import { PaletteButton } from '../palette/palette-button.tsx';
import { hasLeftSignIn } from '../sign-in/left-sign-in.ts';
import { ActingNotice } from './acting-notice.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Logo } from './logo.tsx';
import { DamageNotice, LossNotice } from './storage-notices.tsx';
import { GuestNavigation, Navigation } from './navigation.tsx';
import { RunningOrder } from './running-order.tsx';
import { hasSearch, SearchBox } from './search-box.tsx';
import { isInGuide, ShellLeadContext } from './guide-lead.tsx';
import styles from './shell.module.css';
import { SyncStatus } from './sync-status.tsx';
import { UserMenu } from './user-menu.tsx';

interface ShellProps {
  path: string;
  /** Nobody is signed in: only archives and the sign-in are available. */
  isGuest?: boolean;
  /** At a station: what its header begins and ends with instead. */
  station?: { begin: ReactNode; end: ReactNode };
  children: ReactNode;
}

/** Frame around every screen: header with navigation, search and sync status. */
export function Shell({ path, isGuest = false, station, children }: ShellProps) {
  const engine = useEngine();
  const inGuide = isInGuide(path);
  const [lead, setLead] = useState<HTMLElement | null>(null);
  const main = useFocusOnArrival(path);
  useViewfinder(isGuest);
  return (
    <ShellLeadContext value={lead}>
      <div className={classNames(styles, 'shell')}>
        <a className={classNames(styles, 'skip')} href="#main">
          {text.app.skip}
        </a>
        <div className={classNames(styles, 'top')}>
          <ActingNotice />
          <header className={classNames(styles, 'header', station !== undefined && 'ofStation')}>
            {(station === undefined || inGuide) && (
              <div className={classNames(styles, 'logo', inGuide && 'inGuide')}>
                <Logo />
              </div>
            )}
            {inGuide ? (
              <div className={classNames(styles, 'lead')} ref={setLead} />
            ) : (
              <>
                {station?.begin ?? (isGuest ? <GuestNavigation /> : <Navigation />)}
                {!isGuest && (station === undefined || hasSearch(path)) && (
                  <div className={classNames(styles, 'search')}>
                    <SearchBox />
                  </div>
                )}
              </>
            )}
            {!isGuest && (
              <div className={classNames(styles, 'palette', inGuide && 'inGuide')}>
                <PaletteButton isBrief={inGuide || station !== undefined} />
              </div>
            )}
            <div className={classNames(styles, 'end')}>
              {!isGuest && <SyncStatus />}
              {station?.end ??
                (isGuest ? (
                  <ButtonLink href="/sign-in">{text.signIn.title}</ButtonLink>
                ) : (
                  <div className={classNames(styles, 'account', inGuide && 'inGuideOnPhone')}>
                    <UserMenu />
                  </div>
                ))}
            </div>
          </header>
          {!isGuest && path !== '/station' && <RunningOrder path={path} />}
        </div>
        <div className={classNames(styles, 'notice')}>
          <LossNotice />
          <DamageNotice />
        </div>
        <main id="main" className={classNames(styles, 'main')} ref={main} tabIndex={-1}>
          <ErrorBoundary engine={engine} place={path}>
            <Suspense fallback={<Loading label={text.app.loading} />}>{children}</Suspense>
          </ErrorBoundary>
        </main>
      </div>
    </ShellLeadContext>
  );
}

/** Moves the focus to the content after navigation and sign-in, unless the person is typing in a field. */
function useFocusOnArrival(path: string) {
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    // The sign-in has no shell, and leaves at the same address.
    if (before.current === path && !hasLeftSignIn()) return;
    before.current = path;
    main.current?.scrollTo(0, 0);
    const typing = document.activeElement instanceof HTMLInputElement;
    if (!typing) main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}

/** Shows a viewfinder where the app offers the camera. */
function useViewfinder(isGuest: boolean): void {
  useEffect(() => {
    if (isGuest) return;
    // Without it, the dialog of the system chooses the file.
    import('../camera/gate.tsx').then((gate) => gate.watchFileInputs()).catch(() => undefined);
  }, [isGuest]);
}
