import { useState } from 'react';
import { useLocation } from 'wouter';

import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { saveFile } from '#desktop/renderer/platform/save-file.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

/**
 * Notice that somebody else took over the work order first, with three options. Nothing is lost before one is chosen.
 */
export function FrozenOrder({ order }: { order: Pick<WorkOrder, 'entryid' | 'workorderid'> }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  const [isDiscarding, setIsDiscarding] = useState(false);
  const saveAsOwn = () =>
    act(async () => {
      const entryid = await actions.saveAsOwnOrder(order.entryid);
      navigate(`/work-orders/${encodeURIComponent(entryid)}`);
    });
  const discard = () =>
    act(async () => {
      await actions.discardOrder(order.entryid);
      navigate('/work-orders');
    });
  return (
    <Notice tone="danger" title={text.workOrders.frozen}>
      <Stack gap="s">
        <p>{text.workOrders.frozenHint}</p>
        <Row>
          <Button tone="primary" onPress={saveAsOwn} isPending={busy}>
            {text.workOrders.saveAsOwn}
          </Button>
          <Button onPress={() => act(async () => saveFile(await actions.exportOrder(order.entryid)))}>
            {text.workOrders.export}
          </Button>
          <Button onPress={() => setIsDiscarding(true)}>{text.workOrders.discard}</Button>
        </Row>
      </Stack>
      <ConfirmDialog
        title={text.workOrders.discardTitle(order.workorderid)}
        isOpen={isDiscarding}
        onClose={() => setIsDiscarding(false)}
        confirmLabel={text.workOrders.discard}
        cancelLabel={text.workOrders.keep}
        onConfirm={discard}
      >
        {text.workOrders.discardBody}
      </ConfirmDialog>
    </Notice>
  );
}
