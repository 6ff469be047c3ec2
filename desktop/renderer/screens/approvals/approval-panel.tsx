import { Link } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Panel, PanelList, panelItem } from '#desktop/renderer/ui/panel.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { AskForApproval } from './ask-for-approval.tsx';
import { Signatures } from './stages.tsx';
import { stateTones } from './state-tones.ts';

/** Beside a guide that is under a process: how this version stands to it, and who signed it. */
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
