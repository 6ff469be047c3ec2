import type { EntryGap } from '#shared/model/work-log.ts';

import type { GapReason } from '../api/records.ts';
import type { EntryContext, EntryMoveCall } from '../outbox/kinds/work-orders.ts';
import type { ActionContext } from './action-context.ts';
import { mustMove } from './must-move.ts';

/** Moves a work order. Throws `Problem` when that is not possible, as far as this device knows. */
export async function moveOrder(
  context: ActionContext,
  entryid: string,
  move: EntryMoveCall,
  said: { gaps?: readonly GapReason[]; note?: string } = {},
): Promise<void> {
  const { outbox, clock } = context.sources.core;
  const { id, call, context: about } = await mustMove(context, entryid, move);
  const note = said.note?.trim() ?? '';
  const told = (said.gaps ?? []).map(({ field, reason }) => ({ field, reason: reason.trim() }));
  const body = {
    ...clock.moment(),
    ...(told.length === 0
      ? {}
      : { gaps: told.map(({ field, reason }) => ({ field_revisionid: field.field_revisionid, reason })) }),
    ...(note === '' ? {} : { note }),
  };
  const gaps: EntryGap[] = told.map(({ field, reason }) => ({
    field_revisionid: field.field_revisionid,
    field_guid: field.field_guid,
    label: field.label,
    stepid: Number(field.stepid),
    reason,
  }));
  await outbox.add([
    {
      ...call,
      kind: 'entry-move',
      method: 'POST',
      path: `/work_log/${id}/${move}`,
      body,
      context: {
        ...about,
        move,
        ...(gaps.length === 0 ? {} : { gaps }),
        ...(note === '' ? {} : { note }),
      } satisfies EntryContext,
    },
  ]);
}
