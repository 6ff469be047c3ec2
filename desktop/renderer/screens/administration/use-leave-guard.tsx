import { useEffect, useState, type ReactNode } from 'react';

import { askBeforeLeaving } from '#desktop/renderer/leave-guard.ts';
import { administrationText } from '#desktop/renderer/text/en/administration.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';

/**
 * Asks before changes that are not saved are left by a link or by closing the window. Returns the question.
 *
 * - ADMIN-3 Nobody leaves changes that are not saved by a link, or by closing the window, without being asked.
 */
export function useLeaveGuard(changes: number): ReactNode {
  const [leave, setLeave] = useState<{ go: () => void } | null>(null);
  const isGuarded = changes > 0;
  useEffect(() => {
    if (!isGuarded) return undefined;
    askBeforeLeaving((go) => setLeave({ go }));
    const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    return () => {
      askBeforeLeaving(null);
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
        askBeforeLeaving(null);
        leave?.go();
      }}
    >
      {administrationText.leaveBody(changes)}
    </ConfirmDialog>
  );
}
