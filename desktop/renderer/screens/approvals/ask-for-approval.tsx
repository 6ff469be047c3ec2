import { Signature } from 'lucide-react';

import type { GuideApprovalView } from '#desktop/engine/api/approval-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

/** Sends this version to those who sign it; a public guide stays public meanwhile. */
export function AskForApproval({ approval }: { approval: GuideApprovalView }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  if (!approval.canAsk) return null;
  const ask = () =>
    act(async () => {
      await actions.publish(approval.guideid, true);
      showToast(text.approvals.askedNow);
    });
  return (
    <div>
      <Button icon={<Signature aria-hidden="true" />} onPress={ask} isPending={busy}>
        {text.approvals.ask}
      </Button>
    </div>
  );
}
