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
import { Page } from '../shell/page.tsx';
import { StartByNumber } from './start-by-number.tsx';
import { WorkOrderRow } from './work-order-row.tsx';
import styles from './work-orders-screen.module.css';

const groups = ['running', 'paused', 'suspended', 'finished'] as const;
type GroupName = (typeof groups)[number];

function groupOf({ status }: WorkOrder): GroupName {
  switch (status) {
    case 'started':
      return 'running';
    case 'paused':
    case 'suspended':
      return status;
    case 'complete':
    case 'cancelled':
      return 'finished';
    default:
      return status satisfies never;
  }
}

/** The work orders: running, waiting, then finished. */
export function WorkOrdersScreen() {
  const orders = useLive('workOrders');
  const deviations = useLive('deviations');
  return (
    <Page
      title={text.workOrders.title}
      actions={
        <>
          <ButtonLink href="/board">{text.board.open}</ButtonLink>
          <ButtonLink href="/deviations">{text.deviations.all}</ButtonLink>
        </>
      }
    >
      <div
        className={classNames(
          styles,
          'screen',
          orders.every((order) => groupOf(order) === 'finished') && 'idle',
        )}
      >
        <div className={classNames(styles, 'groups')}>
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
          {groups.map((name) => (
            <Group key={name} name={name} orders={orders.filter((order) => groupOf(order) === name)} />
          ))}
        </div>
        <StartByNumber />
      </div>
    </Page>
  );
}

function Group({ name, orders }: { name: GroupName; orders: readonly WorkOrder[] }) {
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
