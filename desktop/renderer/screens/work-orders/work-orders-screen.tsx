import { ClipboardList } from 'lucide-react';

import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { RowList } from '#desktop/renderer/ui/list-row.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { DeviationList } from '../deviations/deviation-list.tsx';
import { PlannedForYou } from '../planned/planned-list.tsx';
import { ToConfirm } from '../second-person/to-confirm.tsx';
import { Page } from '../shell/page.tsx';
import { groupOf, orderGroups, type OrderGroup } from './order-groups.ts';
import { StartByNumber } from './start-by-number.tsx';
import { UnrecordedText } from './unrecorded-text.tsx';
import { WorkOrderRow } from './work-order-row.tsx';
import styles from './work-orders-screen.module.css';

/** The work orders: running, waiting, then finished. */
export function WorkOrdersScreen() {
  const orders = useLive('workOrders');
  const deviations = useLive('deviations');
  return (
    <Page
      title={text.workOrders.title}
      actions={
        <>
          <ButtonLink href="/planned">{text.planned.open}</ButtonLink>
          <ButtonLink href="/board">{text.board.open}</ButtonLink>
          <ButtonLink href="/deviations">{text.deviations.all}</ButtonLink>
          <ButtonLink href="/trace">{text.tracing.open}</ButtonLink>
          <ButtonLink href="/order-history">{text.workOrders.toHistory}</ButtonLink>
          <ButtonLink href="/reports">{text.workOrders.toReports}</ButtonLink>
        </>
      }
    >
      <div
        className={classNames(
          styles,
          'screen',
          orders.every((order) => groupOf(order) === 'ended') && 'idle',
        )}
      >
        <div className={classNames(styles, 'groups')}>
          <UnrecordedText />
          <ToConfirm />
          <PlannedForYou />
          {orders.length === 0 && (
            <EmptyState icon={<ClipboardList />} title={text.workOrders.emptyTitle}>
              {text.workOrders.empty}
            </EmptyState>
          )}
          <DeviationList
            title={text.deviations.toDecide}
            deviations={deviations.filter(({ decides, decision }) => decides && decision === null)}
            namesOrder
          />
          {orderGroups.map((name) => (
            <Group key={name} name={name} orders={orders.filter((order) => groupOf(order) === name)} />
          ))}
        </div>
        <StartByNumber />
      </div>
    </Page>
  );
}

function Group({ name, orders }: { name: OrderGroup; orders: readonly WorkOrder[] }) {
  if (orders.length === 0) return null;
  return (
    <Section title={text.workOrders.groups[name]} count={orders.length}>
      <RowList>
        {orders.map((order) => (
          <WorkOrderRow key={order.entryid} order={order} />
        ))}
      </RowList>
    </Section>
  );
}
