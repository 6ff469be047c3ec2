import { Signature } from 'lucide-react';
import { useState } from 'react';

import type { ApprovalRequestView, GuideApprovalView } from '#desktop/engine/api/approval-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { historyText } from '#desktop/renderer/text/en/history.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { guideHref } from '../library/guide-address.ts';
import { EmptyPage } from '../shell/empty-page.tsx';
import { Page } from '../shell/page.tsx';
import styles from './approvals.module.css';
import { AskForApproval, stateTones } from './approval-panel.tsx';
import { Changes } from './changes.tsx';
import { readSignOn } from './stored-sign-on.ts';
import { SignDialog } from './sign-dialog.tsx';
import { Stages } from './stages.tsx';

/** The approval request of a guide: its stages, signatures and changes. */
export function ApprovalScreen({ guideid }: { guideid: string }) {
  const approval = useLive('guideApproval', guideid);
  if (approval === null)
    return (
      <EmptyPage
        title={text.approvals.title}
        reason={text.approvals.missing}
        icon={<Signature />}
        wayOut={{ href: '/approvals', words: text.approvals.title }}
      >
        {text.approvals.missingHint}
      </EmptyPage>
    );
  return <Approval approval={approval} />;
}

function Approval({ approval }: { approval: GuideApprovalView }) {
  const { home } = useLive('session');
  // If the page was reloaded during a single sign-on, the dialog opens again.
  const [isSigning, setIsSigning] = useState(
    () => approval.mine !== null && readSignOn(home, approval.mine.requestid) !== null,
  );
  const [newest, ...earlier] = approval.requests;
  return (
    <Page
      title={approval.title}
      lead={<Badge tone={stateTones[approval.state]}>{text.approvals.states[approval.state]}</Badge>}
      actions={
        <>
          <ButtonLink href={guideHref(approval.guideid)}>{text.approvals.read}</ButtonLink>
          <ButtonLink href={`${guideHref(approval.guideid)}/history`}>{historyText.title}</ButtonLink>
          <AskForApproval approval={approval} />
          {approval.mine !== null && (
            <Button tone="primary" onPress={() => setIsSigning(true)}>
              {text.approvals.sign}
            </Button>
          )}
        </>
      }
    >
      <div className={classNames(styles, 'page')}>
        {newest === undefined ? <p>{text.approvals.unapprovedHint}</p> : <Request request={newest} />}
        {newest !== undefined && newest.status === 'pending' && (
          <Changes key={newest.requestid} requestid={newest.requestid} />
        )}
        {earlier.length > 0 && (
          <section className={classNames(styles, 'group')}>
            <h2>{text.approvals.earlier}</h2>
            {earlier.map((request) => (
              <Request key={request.requestid} request={request} />
            ))}
          </section>
        )}
      </div>
      {isSigning && approval.mine !== null && (
        <SignDialog title={approval.title} mine={approval.mine} onClose={() => setIsSigning(false)} />
      )}
    </Page>
  );
}

function Request({ request }: { request: ApprovalRequestView }) {
  const now = useNow();
  return (
    <section className={classNames(styles, 'group')}>
      <h2>{request.process}</h2>
      <p className={classNames(styles, 'note')}>
        {`${text.approvals.purposes[request.purpose]} · ${text.approvals.by(request.requester, formatSince(request.since, now))} · ${text.approvals.states[request.status]}`}
      </p>
      {request.reason !== null && <p>{text.approvals.reason(request.reason)}</p>}
      <Stages stages={request.stages} />
      {request.revision !== null && (
        <p className={classNames(styles, 'note')}>{text.approvals.exactly(request.revision)}</p>
      )}
      <p className={classNames(styles, 'note', 'hash')}>{`${text.approvals.hash}: ${request.hash}`}</p>
    </section>
  );
}
