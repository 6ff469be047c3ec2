import { type ReactNode, useState } from 'react';
import { Link } from 'react-aria-components';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

/** Signing out, after a question: whether the library stays on this device, and what becomes of work that waits. */
export function useSignOut(): { ask: () => void; busy: boolean; question: ReactNode } {
  const { pending, parked, conflicts } = useLive('syncState');
  const actions = useActions();
  const { act, busy } = useAct();
  const [isAsking, setIsAsking] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);
  const [losesWork, setLosesWork] = useState(false);
  const attention = parked + conflicts;
  const waiting = pending + attention;
  const close = () => {
    setIsAsking(false);
    setIsRemoving(false);
    setLosesWork(false);
  };
  const signOut = () =>
    act(async () => {
      if (!isRemoving) return actions.signOut();
      await actions.signOut(losesWork ? 'remove-with-work' : 'remove');
      // What screens keep for the next visit of a page.
      sessionStorage.clear();
    });
  const question = (
    <ConfirmDialog
      title={text.settings.signOutTitle}
      isOpen={isAsking}
      onClose={close}
      confirmLabel={isRemoving ? text.settings.signOutAndRemove : text.app.signOut}
      cancelLabel={text.settings.stay}
      isBlocked={isRemoving && waiting > 0 && !losesWork}
      onConfirm={signOut}
    >
      <Stack>
        {waiting > 0 && !isRemoving && <p>{text.settings.signOutWaiting(waiting)}</p>}
        {attention > 0 && <p>{text.settings.signOutAttention(attention)}</p>}
        {waiting > 0 && (
          <Link href="/sync" onPress={close}>
            {text.settings.lookFirst}
          </Link>
        )}
        <CheckboxField label={text.settings.signOutRemove} value={isRemoving} onChange={setIsRemoving} />
        {isRemoving && <p>{text.settings.signOutRemoveHint}</p>}
        {isRemoving && waiting > 0 && (
          <>
            <p>{text.settings.signOutRemoveWork(waiting)}</p>
            <CheckboxField
              label={text.settings.signOutConfirmWork}
              value={losesWork}
              onChange={setLosesWork}
            />
          </>
        )}
      </Stack>
    </ConfirmDialog>
  );
  return { ask: () => setIsAsking(true), busy, question };
}
