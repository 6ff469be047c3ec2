import { Problem } from '#shared/api/problem.ts';
import type { EntryGap } from '#shared/model/work-log.ts';
import { checkFieldValue, workValueOf } from '#shared/rules/field-value.ts';
import { type EntryMove, foldEntry, moveRefusal } from '#shared/rules/work-log.ts';

import type { CoreActions } from '../api/engine.ts';
import { recordedValue, type EntryContext, type EntryMoveCall } from '../outbox/kinds/work-orders.ts';
import type { NewCall } from '../platform/ports.ts';
import { readEntry } from '../features/read-entry.ts';
import type { FormFieldView, GapReason } from '../api/records.ts';
import { type ActionContext, bodyId, impossible, laneOf, openCallsOf } from '../features/action-context.ts';
import { keepFile } from '../features/keep-file.ts';
import { startEntry } from '../features/start-entry.ts';
import { discardOrder, exportOrder, saveAsOwnOrder } from './frozen-orders.ts';

/** Actions on work orders. */
export type WorkOrderActions = Pick<
  CoreActions,
  | 'startWorkOrder'
  | 'moveWorkOrder'
  | 'suspendWorkOrder'
  | 'finishWorkOrder'
  | 'enterStep'
  | 'recordValue'
  | 'recordFile'
  | 'saveAsOwnOrder'
  | 'exportOrder'
  | 'discardOrder'
>;

export function workOrderActions(context: ActionContext): WorkOrderActions {
  const { outbox, clock } = context.sources.core;
  return {
    startWorkOrder: (guideid, workorderid, seen) => startEntry(context, { guideid, workorderid, seen }),
    moveWorkOrder: (entryid, move) => moveOrder(context, entryid, move),
    suspendWorkOrder: (entryid, note) => moveOrder(context, entryid, 'suspend', { note }),
    finishWorkOrder: (entryid, gaps) => moveOrder(context, entryid, 'finish', { gaps }),
    async enterStep(entryid, stepid) {
      const step = context.resolve(stepid);
      const order = await readEntry(context, entryid);
      const folded = foldEntry(order.facts);
      const active =
        folded.active_stepid === null
          ? null
          : (order.stepIds.get(folded.active_stepid) ?? folded.active_stepid);
      if (folded.status !== 'started' || String(active) === step) return;
      const { id, call, context: about } = await mustMove(context, entryid, 'step');
      await outbox.add([
        {
          ...call,
          kind: 'entry-move',
          method: 'PUT',
          path: `/work_log/${id}/step`,
          body: { ...clock.moment(), stepid: bodyId(step) },
          context: { ...about, move: 'step' } satisfies EntryContext,
        },
      ]);
    },
    async recordValue(entryid, field, value) {
      const checked = checkFieldValue(field, value);
      if ('message' in checked) {
        throw new Problem('invalid', checked.message, {
          errors: [{ field: field.label, message: checked.message }],
        });
      }
      await outbox.add([await dataCall(context, entryid, field, checked.value, null)]);
    },
    async recordFile(entryid, field, file, filename) {
      await mustMove(context, entryid, 'data');
      await keepFile(context, file, filename, fileKind(field), async (id) => [
        await dataCall(context, entryid, field, id, filename),
      ]);
    },
    saveAsOwnOrder: (entryid) => saveAsOwnOrder(context, entryid),
    exportOrder: (entryid) => exportOrder(context, entryid),
    discardOrder: (entryid) => discardOrder(context, entryid),
  };
}

async function moveOrder(
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

interface EntryCall {
  id: string;
  call: Pick<NewCall, 'lane' | 'target' | 'subject'>;
  context: EntryContext;
}

const moveWords: Record<EntryMove, string> = {
  step: 'worked on',
  data: 'filled in',
  pause: 'paused',
  resume: 'resumed',
  suspend: 'suspended',
  assume: 'taken over',
  finish: 'finished',
  cancel: 'cancelled',
};

/** The common part of calls about a work order. Throws when the move is not possible, as far as this device knows. */
async function mustMove(context: ActionContext, entryid: string, move: EntryMove): Promise<EntryCall> {
  const entry = await readEntry(context, entryid);
  if (entry.frozen) throw new Problem('conflict', 'Someone else has taken over this work order');
  if (moveRefusal(entry.facts, move, context.userid()) !== null) {
    throw impossible(`This work order cannot be ${moveWords[move]} now`);
  }
  const id = entry.entryid;
  const isFirst = openCallsOf(context, 'workLog', id).length === 0;
  const { workorderid } = entry.facts;
  return {
    id,
    call: {
      lane: laneOf(context, 'entry', 'workLog', id),
      target: { collection: 'workLog', id },
      subject: workorderid,
    },
    context: { guideid: entry.guideid, workorderid, ...(isFirst ? { base: entry.facts } : {}) },
  };
}

async function dataCall(
  context: ActionContext,
  entryid: string,
  field: FormFieldView,
  value: string,
  fileName: string | null,
): Promise<NewCall> {
  const { id, call, context: about } = await mustMove(context, entryid, 'data');
  const { field_revisionid, stepid } = field;
  const data = workValueOf(field, Number(stepid), value);
  const { clock, mirror } = context.sources.core;
  const record = id.startsWith('tmp:') ? null : await mirror.get('workLog', id);
  const before = record === null ? null : recordedValue(record.facts, field_revisionid);
  const moment = clock.moment();
  return {
    ...call,
    kind: 'entry-data',
    method: 'PUT',
    path: `/work_log/${id}/stepData`,
    body: { fields: { [String(field_revisionid)]: value }, ...moment },
    context: {
      ...about,
      [`value:${field_revisionid}`]: { data, fileName, before },
    } satisfies EntryContext,
  };
}

function fileKind(field: FormFieldView): 'image' | 'document' | 'video' {
  if (field.field_type === 'Image') return 'image';
  if (field.field_type === 'Video') return 'video';
  if (field.field_type === 'Document') return 'document';
  throw impossible(`${field.label} does not take a file`);
}
