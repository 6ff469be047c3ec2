import { useEffect, useEffectEvent } from 'react';

import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import type { PlayerPage } from './player-page.ts';

/** The work orders on a guide: the one the person works on, and those that wait for somebody. */
export function useGuideOrders(guideid: string): { open: WorkOrder | null; suspended: WorkOrder[] } {
  const orders = useLive('workOrders').filter((order) => order.guideid === guideid && !order.frozen);
  const mine = orders.filter((order) => order.mine);
  const open =
    mine.find((order) => order.status === 'started') ??
    mine.find((order) => order.status === 'paused') ??
    null;
  return { open, suspended: orders.filter((order) => order.status === 'suspended') };
}

/** Tells the running work order at which step the person is, for the times per step. */
export function useStepTimes(order: WorkOrder | null, page: PlayerPage, guideid: string): void {
  const actions = useActions();
  const { act } = useAsyncAction();
  const step = page.kind === 'step' && page.step.guideid === guideid ? page.step : null;
  const entryid = order?.status === 'started' ? order.entryid : null;
  const here = order?.activeStepid ?? null;
  const stepid = step?.stepid ?? null;
  const arrive = useEffectEvent((order: string, arrivedAt: string) => {
    if (here !== arrivedAt) act(() => actions.enterStep(order, arrivedAt));
  });
  // Only another step, or a clock that starts, is an arrival; the answer of the engine is none.
  useEffect(() => {
    if (entryid !== null && stepid !== null) arrive(entryid, stepid);
  }, [entryid, stepid]);
}
