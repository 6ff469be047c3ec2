import { LayoutDashboard } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-aria-components';
import { useLocation } from 'wouter';

import type { BoardOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { shiftWords } from '#desktop/renderer/text/en/shift-summaries.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { ProgressBar } from '#desktop/renderer/ui/progress-bar.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { Shortened } from '#desktop/renderer/ui/shortened.tsx';
import { Timer } from '#desktop/renderer/ui/timer.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { DeviationList } from '../deviations/deviation-list.tsx';
import { isAwaited } from '#shared/rules/planned-orders.ts';
import { mostAbove, PlannedList } from '../planned/planned-list.tsx';
import { Page } from '../shell/page.tsx';
import { useScanner } from '../player/use-scanner.ts';
import { AllOrdersLink } from '../work-orders/all-orders-link.tsx';
import { traceHref } from '../work-orders/number-link.tsx';
import { atStations } from '../work-orders/at-stations.ts';
import { groupOf, orderGroups } from '../work-orders/order-groups.ts';
import { MakeSummaryButton } from '../shifts/make-button.tsx';
import { OrderStatus } from '../work-orders/order-status.tsx';
import styles from './board.module.css';

/** How many orders of a state are shown at first. */
const mostInColumn = 10;

/**
 * The work of the teams of a lead, and the deviations that wait for a decision.
 *
 * - BOARD-1 What waits for a decision is first. Of each list the board shows the first entries and how many there are, and
 *   all at a request, so that many planned orders do not hide the running ones.
 */
export function BoardScreen() {
  const { isLead, orders } = useLive('board');
  const open = useLive('deviations').filter(({ decision }) => decision === null);
  const now = useNow();
  const [, navigate] = useLocation();
  const page = useRef<HTMLDivElement>(null);
  // A code that is scanned here is looked up.
  useScanner(page, true, (code) => navigate(traceHref(code)));
  const allPlanned = useLive('plannedOrders');
  const planned = allPlanned.filter((one) => isAwaited(one, now));
  const earlier = new Set(allPlanned.flatMap((one) => (one.earlier === null ? [] : [one.entryid])));
  const waiting = new Set(open.map(({ entryid }) => entryid));
  return (
    <Page
      title={text.board.title}
      lead={isLead ? text.board.lead : text.board.leadOwn}
      over={<AllOrdersLink />}
      actions={
        <>
          <ButtonLink href="/trace">{text.tracing.open}</ButtonLink>
          <ButtonLink href="/order-history">{text.workOrders.toHistory}</ButtonLink>
          <ButtonLink href="/reports">{text.workOrders.toReports}</ButtonLink>
          <ButtonLink href="/shifts">{shiftWords.open}</ButtonLink>
          <MakeSummaryButton />
        </>
      }
    >
      <div ref={page} className={classNames(styles, 'page')}>
        <DeviationList
          title={text.deviations.toDecide}
          deviations={open.filter(({ decides }) => decides)}
          namesOrder
          most={mostAbove}
        />
        <PlannedList title={text.planned.lateOrWaiting} planned={planned} most={mostAbove} />
        {orders.length === 0 ? (
          <EmptyState icon={<LayoutDashboard />} title={text.board.emptyTitle}>
            {text.board.emptyHint}
          </EmptyState>
        ) : (
          <div className={classNames(styles, 'columns')}>
            {orderGroups.map((column) => (
              <OrderColumn
                key={column}
                title={text.board.columns[column]}
                orders={orders.filter((order) => groupOf(order) === column)}
                waiting={waiting}
                earlier={earlier}
              />
            ))}
          </div>
        )}
      </div>
    </Page>
  );
}

interface OrderColumnProps {
  title: string;
  orders: readonly BoardOrder[];
  /** Orders with a deviation that waits for a lead. */
  waiting: ReadonlySet<string>;
  /** Orders that were started by an earlier revision than planned. */
  earlier: ReadonlySet<string | null>;
}

function OrderColumn({ title, orders, waiting, earlier }: OrderColumnProps) {
  return (
    <Section title={title} count={orders.length}>
      {orders.length === 0 ? (
        <p className={classNames(styles, 'none')}>{text.board.nothing}</p>
      ) : (
        <Shortened all={orders} most={mostInColumn}>
          {(shown) => (
            <ul className={classNames(styles, 'cards')}>
              {shown.map((order) => (
                <OrderCard
                  key={order.entryid}
                  order={order}
                  waits={waiting.has(order.entryid)}
                  isEarlier={earlier.has(order.entryid)}
                />
              ))}
            </ul>
          )}
        </Shortened>
      )}
    </Section>
  );
}

interface OrderCardProps {
  order: BoardOrder;
  waits: boolean;
  isEarlier: boolean;
}

function OrderCard({ order, waits, isEarlier }: OrderCardProps) {
  const now = useNow();
  const visited = order.stepsDone.length + (order.activeStepid === null ? 0 : 1);
  const who = order.mine ? text.workOrders.youAlone : order.username;
  return (
    <Card as="li">
      <Stack gap="xs">
        <div className={classNames(styles, 'head')}>
          <h3>
            <Link href={`/work-orders/${encodeURIComponent(order.entryid)}`}>{order.workorderid}</Link>
          </h3>
          <span className={classNames(styles, 'marks')}>
            {waits && <Badge tone="danger">{text.board.waitsForLead}</Badge>}
            {order.deviates && !waits && <Badge tone="warn">{text.board.deviates}</Badge>}
            {isEarlier && <Badge tone="warn">{text.planned.earlierMark}</Badge>}
            {order.endedAt !== null && <OrderStatus order={order} />}
          </span>
        </div>
        <p>{order.guideTitle}</p>
        <Note>{[who, formatSince(order.statusSince, now), ...atStations(order.stations)].join(' · ')}</Note>
        <Timer
          label={text.workOrders.worked}
          elapsedMs={order.activeMs}
          asOf={order.asOf}
          running={order.running}
          size="inline"
        />
        {order.steps > 0 && order.endedAt === null && (
          <ProgressBar
            label={text.board.progress(visited, Math.max(order.steps, visited))}
            value={visited}
            of={Math.max(order.steps, visited)}
          />
        )}
        {order.handover !== null && order.status === 'suspended' && <Note>{order.handover.note}</Note>}
      </Stack>
    </Card>
  );
}
