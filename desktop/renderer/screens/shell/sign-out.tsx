import { type ReactNode, useState } from 'react';
import { Link } from 'react-aria-components';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { errorMessage, useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { Problem } from '#shared/api/problem.ts';

import { ExportWaiting } from '../sync/device-tools.tsx';

/**
 * Signs out after a confirmation, which asks whether the library stays on this device and shows what happens to
 * waiting work.
 */
export function useSignOut(): { ask: () => void; busy: boolean; question: ReactNode } {
  const { pending, parked, conflicts } = useLive('syncState');
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [isAsking, setIsAsking] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);
  const [losesWork, setLosesWork] = useState(false);
  /** The engine's refusal about work that only it can count: drafts. */
  const [refusal, setRefusal] = useState<string | null>(null);
  const attention = parked + conflicts;
  const waiting = pending + attention;
  const hasWork = waiting > 0 || refusal !== null;
  const close = () => {
    setIsAsking(false);
    setIsRemoving(false);
    setLosesWork(false);
    setRefusal(null);
  };
  const signOut = () =>
    act(async () => {
      if (!isRemoving) return actions.signOut();
      try {
        await actions.signOut(losesWork ? 'remove-with-work' : 'remove');
      } catch (error) {
        if (!(error instanceof Problem) || error.kind !== 'invalid') throw error;
        setIsAsking(true);
        setIsRemoving(true);
        setRefusal(errorMessage(error));
        return;
      }
      // Clears what screens stored for the next visit.
      sessionStorage.clear();
    });
  const question = (
    <ConfirmDialog
      title={text.settings.signOutTitle}
      isOpen={isAsking}
      onClose={close}
      confirmLabel={isRemoving ? text.settings.signOutAndRemove : text.app.signOut}
      cancelLabel={text.settings.stay}
      isBlocked={isRemoving && hasWork && !losesWork}
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
        {isRemoving && hasWork && (
          <>
            <p>{refusal ?? text.settings.signOutRemoveWork(waiting)}</p>
            <ExportWaiting hint={text.settings.signOutExport} />
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
