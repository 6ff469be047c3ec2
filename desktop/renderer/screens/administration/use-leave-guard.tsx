import { useEffect, useState, type ReactNode } from 'react';

import { askBeforeLeaving, leaveUnasked } from '#desktop/renderer/leave-guard.ts';
import { administrationText } from '#desktop/renderer/text/en/administration.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';

/**
 * Asks before changes that are not saved are left by a link, by going back or forward, or by closing the window. Returns the
 * question. `onLeave`: called when the changes are given up.
 *
 * - ADMIN-3 Nobody leaves changes that are not saved by a link, by going back, or by closing the window, without being asked.
 */
export function useLeaveGuard(changes: number, onLeave?: () => void): ReactNode {
  const [leave, setLeave] = useState<{ go: () => void } | null>(null);
  const isGuarded = changes > 0;
  useEffect(() => {
    if (!isGuarded) return undefined;
    const unguard = askBeforeLeaving((go) => setLeave({ go }));
    const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    return () => {
      unguard();
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [isGuarded]);
  return (
    <ConfirmDialog
      title={administrationText.leaveTitle}
      isOpen={leave !== null}
      onClose={() => setLeave(null)}
      confirmLabel={administrationText.leave}
      cancelLabel={administrationText.stay}
      onConfirm={() => {
        leaveUnasked();
        onLeave?.();
        leave?.go();
      }}
    >
      {administrationText.leaveBody(changes)}
    </ConfirmDialog>
  );
}
