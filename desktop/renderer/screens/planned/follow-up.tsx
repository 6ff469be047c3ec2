import { ClipboardPlus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';

import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import type { FollowUpView } from '#desktop/engine/api/planned-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { measuredWords } from '../deviations/deviation-facts.tsx';
import { LazyPlanDialog } from './lazy-plan-dialog.tsx';
import { blankForm, followUpNumber, type PlanForm } from './plan-form.ts';
import { statusTone } from './planned-row.tsx';
import styles from './planned.module.css';

/** The follow-up order of a deviation and its state; renders nothing if there is none. */
export function FollowUp({ deviationid }: { deviationid: string }) {
  const { of } = useLive('followUps');
  const followUp = of[deviationid];
  if (followUp === undefined) return null;
  const { assigneeName, status, pending } = followUp;
  return (
    <p className={classNames(styles, 'followUp')}>
      <span>{text.followUps.title}</span> <Link href={addressOf(followUp)}>{followUp.workorderid}</Link>
      {assigneeName !== '' && <span>{text.planned.forName(assigneeName)}</span>}
      <Badge tone={statusTone(status)} look="dot">
        {text.planned.statuses[status]}
      </Badge>
      {pending && <Badge>{text.planned.waiting}</Badge>}
    </p>
  );
}

function addressOf({ entryid }: FollowUpView): string {
  return entryid === null ? '/planned' : `/work-orders/${encodeURIComponent(entryid)}`;
}

/** A button that plans a follow-up order, for whoever plans orders, while the deviation has none. */
export function FollowUpButton({ deviation }: { deviation: DeviationView }) {
  const { plans, of } = useLive('followUps');
  const [isOpen, setIsOpen] = useState(false);
  const present = of[deviation.deviationid];
  const hasOne = present !== undefined && present.status !== 'withdrawn';
  if (!plans || deviation.pending || (hasOne && !isOpen)) return null;
  const isNext = deviation.decision?.disposition === 'rework';
  return (
    <>
      <Button
        tone={isNext ? 'primary' : 'plain'}
        icon={<ClipboardPlus aria-hidden="true" />}
        onPress={() => setIsOpen(true)}
      >
        {text.followUps.plan}
      </Button>
      {isOpen && <FollowUpDialog deviation={deviation} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function FollowUpDialog({ deviation, onClose }: { deviation: DeviationView; onClose: () => void }) {
  const planned = useLive('plannedOrders');
  const orders = useLive('workOrders');
  const taken = new Set([...planned, ...orders].map(({ workorderid }) => workorderid));
  const worked = planned.find(({ entryid }) => entryid === deviation.entryid);
  const [form] = useState((): PlanForm => ({
    ...blankForm,
    workorderid: followUpNumber(deviation.workorderid, taken),
    guideid: deviation.guideTitle === '' ? null : deviation.guideid,
    guideWords: deviation.guideTitle,
    serials: worked?.serials.join('\n') ?? '',
    note: noteOf(deviation),
  }));
  const { deviationid, title } = deviation;
  return <LazyPlanDialog follows={{ deviationid, title, form }} onClose={onClose} />;
}

/** What was measured, and what the decision says about it. */
function noteOf({ measured, note, decision }: DeviationView): string {
  const found = measured === null ? note : measuredWords(measured);
  return [found, decision?.reason ?? ''].filter((part) => part !== '').join('\n');
}
