import { UserRoundCheck } from 'lucide-react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import styles from './acting-notice.module.css';

/** Shows on every screen that an administrator is acting as another person, with a button to stop. */
export function ActingNotice() {
  const { user } = useLive('session');
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  if (user?.impersonator === undefined) return null;
  return (
    <div className={classNames(styles, 'acting')} role="region" aria-label={text.app.acting}>
      <UserRoundCheck aria-hidden="true" />
      <p className={classNames(styles, 'words')}>
        <strong>{text.app.actingAs(user.username)}</strong> {text.app.actingHint(user.impersonator.username)}
      </p>
      <Button onPress={() => act(() => actions.signOut('remove'))} isPending={busy}>
        {text.app.stopActing}
      </Button>
    </div>
  );
}
