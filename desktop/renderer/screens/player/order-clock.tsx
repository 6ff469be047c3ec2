import { ClipboardList, Ellipsis, Flag, Pause, Play, UserRoundX, X } from 'lucide-react';
import { useState } from 'react';

import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { typedNote } from '#desktop/renderer/typed-forms.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Menu, type MenuAction } from '#desktop/renderer/ui/menu.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { Timer } from '#desktop/renderer/ui/timer.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraftSoon, useFormId } from '#desktop/renderer/use-form-draft.ts';

import { FormNotices } from '../pages/form-notices.tsx';
import { revisionWords } from '../work-orders/revision-words.ts';
import styles from './order-clock.module.css';
import { usePlayerKeys } from './player-keys.tsx';

/** The clock of the work order, with its actions. */
export function OrderClock({ order, onFinish }: { order: WorkOrder; onFinish: () => void }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const [isCancelling, setIsCancelling] = useState(false);
  const [isSuspending, setIsSuspending] = useState(false);
  const isPaused = order.status === 'paused';
  const toggle = () => act(() => actions.moveWorkOrder(order.entryid, isPaused ? 'resume' : 'pause'));
  usePlayerKeys({ p: toggle });
  return (
    <div
      className={classNames(styles, 'clock')}
      role="group"
      aria-label={text.player.order(order.workorderid)}
    >
      <div className={classNames(styles, 'reading')}>
        <span className={classNames(styles, 'number')}>
          <span className={classNames(styles, 'numberAlone')}>{order.workorderid}</span>
          <span className={classNames(styles, 'numberInWords')}>
            {isPaused
              ? `${order.workorderid} · ${text.workOrders.states.paused}`
              : text.player.order(order.workorderid)}
          </span>
        </span>
        {order.revision !== null && (
          <span className={classNames(styles, 'revision')}>{revisionWords(order.revision)}</span>
        )}
        <Timer
          label={text.player.clock}
          elapsedMs={order.activeMs}
          asOf={order.asOf}
          running={order.running}
        />
      </div>
      <Button
        tone={isPaused ? 'primary' : 'plain'}
        icon={isPaused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
        onPress={toggle}
      >
        <span className={classNames(styles, 'move')}>
          {isPaused ? text.player.resume : text.player.pause}
        </span>
      </Button>
      <MoreMoves
        order={order}
        onFinish={onFinish}
        onSuspend={() => setIsSuspending(true)}
        onCancel={() => setIsCancelling(true)}
      />
      <SuspendDialog order={order} isOpen={isSuspending} onClose={() => setIsSuspending(false)} />
      <ConfirmDialog
        title={text.player.cancelTitle(order.workorderid)}
        isOpen={isCancelling}
        onClose={() => setIsCancelling(false)}
        confirmLabel={text.player.cancelOrder}
        cancelLabel={text.player.keepWorking}
        onConfirm={() => act(() => actions.moveWorkOrder(order.entryid, 'cancel'))}
      >
        {text.player.cancelBody}
      </ConfirmDialog>
    </div>
  );
}

/** Asks what the next person should know. */
function SuspendDialog({
  order,
  isOpen,
  onClose,
}: {
  order: WorkOrder;
  isOpen: boolean;
  onClose: () => void;
}) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const typed = useFormDraftSoon({
    id: useFormId('suspend', order.entryid),
    schema: typedNote,
    start: { note: '' },
  });
  return (
    <ConfirmDialog
      title={text.player.suspendTitle(order.workorderid)}
      isOpen={isOpen}
      onClose={onClose}
      tone="primary"
      confirmLabel={text.player.suspend}
      cancelLabel={text.player.keepWorking}
      onConfirm={() =>
        act(async () => {
          await actions.suspendWorkOrder(order.entryid, typed.text.note);
          typed.clear();
        })
      }
    >
      <FormNotices typed={typed} />
      <p>{text.player.suspendBody}</p>
      <TextField
        kind="long"
        label={text.player.handoverNote}
        hint={text.player.handoverHint}
        value={typed.text.note}
        onChange={(note) => typed.change({ note })}
      />
    </ConfirmDialog>
  );
}

interface MoreMovesProps {
  order: WorkOrder;
  onFinish: () => void;
  onSuspend: () => void;
  onCancel: () => void;
}

function MoreMoves({ order, onFinish, onSuspend, onCancel }: MoreMovesProps) {
  const moves: MenuAction[] = [
    { id: 'finish', name: text.player.finish, icon: <Flag aria-hidden="true" />, onAction: onFinish },
    {
      id: 'suspend',
      name: text.player.suspend,
      icon: <UserRoundX aria-hidden="true" />,
      onAction: onSuspend,
    },
    {
      id: 'open',
      name: text.player.openOrder,
      icon: <ClipboardList aria-hidden="true" />,
      href: `/work-orders/${encodeURIComponent(order.entryid)}`,
    },
  ];
  const cancel: MenuAction = {
    id: 'cancel',
    name: text.player.cancelOrder,
    tone: 'danger',
    icon: <X aria-hidden="true" />,
    onAction: onCancel,
  };
  return (
    <Menu
      label={text.player.moreMoves}
      trigger={<IconButton look="bordered" label={text.player.moreMoves} icon={<Ellipsis />} />}
      groups={[
        { id: 'moves', items: moves },
        { id: 'end', items: [cancel] },
      ]}
    />
  );
}
