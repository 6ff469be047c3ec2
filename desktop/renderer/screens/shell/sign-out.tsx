import { type ReactNode, useState } from 'react';
import { Link } from 'react-aria-components';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

/** Signing out: at once when all work is on the server, else after a question. */
export function useSignOut(): { ask: () => void; busy: boolean; question: ReactNode } {
  const { pending, parked, conflicts } = useLive('syncState');
  const actions = useActions();
  const { act, busy } = useAct();
  const [isAsking, setIsAsking] = useState(false);
  const attention = parked + conflicts;
  const signOut = () => act(() => actions.signOut());
  const question = (
    <ConfirmDialog
      title={text.settings.signOutTitle}
      isOpen={isAsking}
      onClose={() => setIsAsking(false)}
      confirmLabel={text.app.signOut}
      cancelLabel={text.settings.stay}
      onConfirm={signOut}
    >
      <Stack>
        <p>{text.settings.signOutWaiting(pending + attention)}</p>
        {attention > 0 && (
          <p>
            {text.settings.signOutAttention(attention)}{' '}
            <Link href="/sync" onPress={() => setIsAsking(false)}>
              {text.settings.lookFirst}
            </Link>
          </p>
        )}
      </Stack>
    </ConfirmDialog>
  );
  return { ask: pending + attention > 0 ? () => setIsAsking(true) : signOut, busy, question };
}
