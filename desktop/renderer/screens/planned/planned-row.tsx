import { CalendarClock, CalendarX2, Ellipsis, Pencil, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useLocation } from 'wouter';

import type { FollowedDeviationView, PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { ListRow, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Menu } from '#desktop/renderer/ui/menu.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import type { PlannedStatus } from '#shared/model/planned-orders.ts';
import { revisionWords } from '../work-orders/revision-words.ts';
import { isLate } from '#shared/rules/planned-orders.ts';
import { earlierWords } from './earlier-words.ts';
import { LazyPlanDialog } from './lazy-plan-dialog.tsx';
import { LeftChange } from './left-change.tsx';
import { repeatWords } from './plan-form.ts';
import styles from './planned.module.css';

/** How many serial numbers a row names. */
const shownSerials = 5;

/** A planned order: number, guide, who, until when, and the next action. */
export function PlannedRow({ planned }: { planned: PlannedOrderView }) {
  const now = useNow();
  return (
    <ListRow
      icon={<CalendarClock />}
      end={<Marks planned={planned} now={now} />}
      menu={<PlannerMenu planned={planned} />}
    >
      <RowTitle as="heading">{planned.workorderid}</RowTitle>
      <p>{planned.guideTitle === '' ? text.planned.missingGuide : planned.guideTitle}</p>
      {planned.release !== null && <Note>{releaseWords(planned.release.title, planned.revision)}</Note>}
      {planned.earlier !== null && <Note>{earlierWords(planned.earlier)}</Note>}
      {planned.awaitsText && <Note>{text.planned.missingText}</Note>}
      <Note>
        {[
          planned.due === null ? text.planned.noDue : text.planned.due(formatDate(planned.due)),
          text.planned.forName(planned.assigneeName),
          planned.startedBy === null
            ? text.planned.by(planned.plannedBy)
            : text.planned.startedBy(planned.startedBy),
        ].join(' · ')}
      </Note>
      {planned.follows !== null && <Follows follows={planned.follows} />}
      {planned.rrule !== null && <Note>{repeatWords(planned.rrule)}</Note>}
      {planned.serials.length > 0 && <Note>{serialWords(planned.serials)}</Note>}
      {planned.note !== '' && <p className={classNames(styles, 'note')}>{planned.note}</p>}
      {planned.leads && <LeftChange planned={planned} />}
    </ListRow>
  );
}

/** The deviation that an order follows up. */
function Follows({ follows: { title, workorderid, entryid } }: { follows: FollowedDeviationView }) {
  return (
    <Note>
      {`${text.followUps.of(title)} · `}
      <Link href={`/work-orders/${encodeURIComponent(entryid)}`}>{workorderid}</Link>
    </Note>
  );
}

/** The tone of a state. */
export function statusTone(status: PlannedStatus): Tone {
  return status === 'done' ? 'ok' : 'neutral';
}

function releaseWords(title: string, revision: PlannedOrderView['revision']): string {
  return revision === null
    ? text.planned.byRelease(title)
    : text.planned.releaseName(text.planned.byRelease(title), revisionWords(revision));
}

function serialWords(serials: readonly string[]): string {
  const shown = serials.slice(0, shownSerials).join(', ');
  const rest = serials.length - shownSerials;
  return rest > 0 ? text.planned.moreSerials(shown, rest) : text.planned.serials(shown);
}

function Marks({ planned, now }: { planned: PlannedOrderView; now: number }) {
  return (
    <>
      <span className={classNames(styles, 'marks')}>
        {isLate(planned, now) && <Badge tone="danger">{text.planned.late}</Badge>}
        {planned.priority === 'high' && <Badge tone="warn">{text.planned.highPriority}</Badge>}
        {planned.priority === 'low' && <Badge>{text.planned.lowPriority}</Badge>}
        {planned.status !== 'open' && (
          <Badge tone={statusTone(planned.status)} look="dot">
            {text.planned.statuses[planned.status]}
          </Badge>
        )}
        {planned.others.length > 0 && <Badge>{text.planned.others(planned.others.length)}</Badge>}
        {planned.pending && <Badge>{text.planned.waiting}</Badge>}
      </span>
      <NextAction planned={planned} />
      {planned.leads && <OtherOrders planned={planned} />}
    </>
  );
}

/** The work orders of their own that were started for a planned order. */
function OtherOrders({ planned: { others } }: { planned: PlannedOrderView }) {
  return others.map(({ entryid, username }) => (
    <ButtonLink key={entryid} tone="quiet" href={`/work-orders/${encodeURIComponent(entryid)}`}>
      {text.planned.otherOrder(username)}
    </ButtonLink>
  ));
}

function NextAction({ planned }: { planned: PlannedOrderView }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  if (planned.entryid !== null)
    return (
      <ButtonLink href={`/work-orders/${encodeURIComponent(planned.entryid)}`}>
        {text.planned.openOrder}
      </ButtonLink>
    );
  if (!planned.starts || !planned.mine) return null;
  const start = () =>
    act(async () => {
      await actions.startPlannedOrder(planned.planned_orderid);
      navigate(`/guides/${planned.guideid}`);
    });
  return (
    <Button
      tone="primary"
      onPress={start}
      isPending={busy}
      label={text.planned.startNamed(planned.workorderid)}
    >
      {text.planned.start}
    </Button>
  );
}

/** What a planner may do. */
function PlannerMenu({ planned }: { planned: PlannedOrderView }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const [asks, setAsks] = useState<'change' | 'withdraw' | 'end' | null>(null);
  if (!planned.plans) return null;
  return (
    <>
      <Menu
        label={text.planned.more(planned.workorderid)}
        trigger={<IconButton label={text.planned.more(planned.workorderid)} icon={<Ellipsis />} />}
        groups={[
          {
            id: 'planner',
            items: [
              {
                id: 'change',
                name: text.planned.change,
                icon: <Pencil />,
                onAction: () => setAsks('change'),
              },
              {
                id: 'withdraw',
                name: text.planned.withdraw,
                icon: <Undo2 />,
                tone: 'danger',
                onAction: () => setAsks('withdraw'),
              },
              planned.rrule !== null && {
                id: 'end',
                name: text.planned.endRepeat,
                icon: <CalendarX2 />,
                tone: 'danger',
                onAction: () => setAsks('end'),
              },
            ],
          },
        ]}
      />
      {asks === 'change' && <LazyPlanDialog seen={planned} onClose={() => setAsks(null)} />}
      <ConfirmDialog
        title={
          asks === 'end'
            ? text.planned.endTitle(planned.workorderid)
            : text.planned.withdrawTitle(planned.workorderid)
        }
        isOpen={asks === 'withdraw' || asks === 'end'}
        onClose={() => setAsks(null)}
        confirmLabel={asks === 'end' ? text.planned.endRepeat : text.planned.withdraw}
        cancelLabel={text.app.cancel}
        onConfirm={() => act(() => actions.withdrawPlannedOrder(planned, asks === 'end'))}
      >
        {asks === 'end' ? text.planned.endHint : text.planned.withdrawHint}
      </ConfirmDialog>
    </>
  );
}
