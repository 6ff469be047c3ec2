import { Pause, Play, UserRoundCheck } from 'lucide-react';

import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { placeOfOrder } from './order-groups.ts';

/** The next actions for an order in its state. */
export function OrderMoves({ order }: { order: WorkOrder }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const move = (name: 'pause' | 'resume' | 'assume') => act(() => actions.moveWorkOrder(order.entryid, name));
  if (order.frozen)
    return (
      <ButtonLink href={`/work-orders/${encodeURIComponent(order.entryid)}`}>
        {text.workOrders.decide}
      </ButtonLink>
    );
  const goOn = <ButtonLink href={placeOfOrder(order)}>{text.workOrders.open}</ButtonLink>;
  switch (order.status) {
    case 'started':
      return (
        <>
          {order.mine && (
            <Button icon={<Pause aria-hidden="true" />} onPress={() => move('pause')} isPending={busy}>
              {text.player.pause}
            </Button>
          )}
          {goOn}
        </>
      );
    case 'paused':
      return (
        <>
          {order.mine && (
            <Button icon={<Play aria-hidden="true" />} onPress={() => move('resume')} isPending={busy}>
              {text.player.resume}
            </Button>
          )}
          {goOn}
        </>
      );
    case 'suspended':
      return (
        <Button icon={<UserRoundCheck aria-hidden="true" />} onPress={() => move('assume')} isPending={busy}>
          {order.mine ? text.workOrders.continueOrder : text.workOrders.takeOver}
        </Button>
      );
    case 'complete':
    case 'cancelled':
      return null;
    default:
      return order.status satisfies never;
  }
}
