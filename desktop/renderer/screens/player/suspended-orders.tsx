import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

/** Work orders on this guide that somebody left for others. */
export function SuspendedOrders({ orders }: { orders: readonly WorkOrder[] }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const now = useNow();
  return orders.map((order) => (
    <Notice
      key={order.entryid}
      tone="info"
      title={text.player.order(order.workorderid)}
      action={
        <Button onPress={() => act(() => actions.moveWorkOrder(order.entryid, 'assume'))}>
          {text.player.takeOver}
        </Button>
      }
    >
      {text.player.suspendedBy(
        order.mine ? text.workOrders.you : order.username,
        formatSince(order.statusSince, now),
      )}
    </Notice>
  ));
}
