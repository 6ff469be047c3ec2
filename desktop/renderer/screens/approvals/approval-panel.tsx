import { Link } from 'react-aria-components';
import { Signature } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { Panel, PanelList, panelItem } from '#desktop/renderer/ui/panel.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { GuideApprovalView } from '#desktop/engine/api/approval-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { Signatures } from './stages.tsx';

/** Panel beside a guide under an approval process: the state of this version, and its signatures. */
export function ApprovalPanel({ guideid }: { guideid: string }) {
  const approval = useLive('guideApproval', guideid);
  if (approval === null) return null;
  const signatures = approval.requests
    .filter((request) => request.isAbout)
    .flatMap((request) => request.stages.flatMap((stage) => stage.signatures));
  return (
    <Panel title={text.approvals.panel}>
      <div>
        <Badge tone={stateTones[approval.state]}>{text.approvals.states[approval.state]}</Badge>
      </div>
      <Signatures signatures={signatures} />
      <AskForApproval approval={approval} />
      <PanelList>
        <li>
          <Link className={panelItem} href={`/approvals/${approval.guideid}`}>
            {text.approvals.open}
          </Link>
        </li>
      </PanelList>
    </Panel>
  );
}

/** Badge tones of approval states. */
export const stateTones: Record<GuideApprovalView['state'], Tone> = {
  unapproved: 'warn',
  pending: 'accent',
  approved: 'ok',
  rejected: 'danger',
  void: 'warn',
};

/** Button that requests approval of this version. A public guide stays public meanwhile. */
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
