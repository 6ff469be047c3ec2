import { TriangleAlert } from 'lucide-react';

import { appText } from '#desktop/renderer/text/en/app.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Loading } from '#desktop/renderer/ui/loading.tsx';

import { StillLogo } from './logo.tsx';
import styles from './shell.module.css';

/** Shown if the device's storage could not be opened; nothing is lost by trying again. */
export function StartFailed({ error }: { error: unknown }) {
  return (
    <main>
      <title>{appText.name}</title>
      <EmptyState
        icon={<TriangleAlert />}
        title={appText.startFailed}
        action={
          <Button tone="primary" onPress={() => location.reload()}>
            {appText.tryAgain}
          </Button>
        }
      >
        {`${appText.startFailedHint} ${errorMessage(error)}`}
      </EmptyState>
    </main>
  );
}

/**
 * Shown between the start of the app and its first screen. `hasFrame`: with the bar of the app, where somebody was signed in.
 */
export function Restoring({ hasFrame = false }: { hasFrame?: boolean }) {
  return (
    <>
      {hasFrame && (
        <div className={classNames(styles, 'header')}>
          <div className={classNames(styles, 'logo')}>
            <StillLogo />
          </div>
        </div>
      )}
      <main>
        <title>{appText.name}</title>
        <Loading label={appText.restoring} />
      </main>
    </>
  );
}
