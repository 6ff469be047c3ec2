import { Problem } from '#shared/api/problem.ts';
import type { EntryFacts, WorkDataValue } from '#shared/model/work-log.ts';
import { computedValues } from '#shared/rules/computed-values.ts';
import { checkFieldValue, workValueOf } from '#shared/rules/field-value.ts';
import { type GivenDetails, settleDetails, type ValueDetails } from '#shared/rules/value-details.ts';
import { isOwnWork, withSecondPersons } from '#shared/rules/second-person.ts';
import { foldEntry } from '#shared/rules/work-log.ts';

import type { CoreActions } from '../api/engine.ts';
import { recordedValue, type EntryContext, type WaitingValue } from '../outbox/kinds/work-orders.ts';
import type { NewCall } from '../platform/ports.ts';
import { moveOrder } from '../features/move-order.ts';
import { mustMove } from '../features/must-move.ts';
import { readEntry } from '../features/read-entry.ts';
import type { FormFieldView } from '../api/records.ts';
import { type ActionContext, bodyId, impossible } from '../features/action-context.ts';
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
  | 'removePhoto'
  | 'saveAsOwnOrder'
  | 'exportOrder'
  | 'discardOrder'
>;

export function workOrderActions(context: ActionContext): WorkOrderActions {
  const { outbox, clock } = context.sources.core;
  let recording: Promise<unknown> = Promise.resolve();
  /** Values are recorded one after the other, because a computed value follows from all before. */
  const inTurn = (record: () => Promise<void>): Promise<void> => {
    const recorded = recording.then(record, record);
    recording = recorded;
    return recorded;
  };
  return {
    startWorkOrder: (guideid, workorderid, more) => startEntry(context, { guideid, workorderid, ...more }),
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
    async recordValue(entryid, field, value, details = {}) {
      if (field.computed !== undefined) throw impossible(`${field.label} is computed from other values`);
      const checked = checkFieldValue(field, value);
      if ('message' in checked) {
        throw new Problem('invalid', checked.message, {
          errors: [{ field: field.label, message: checked.message }],
        });
      }
      await inTurn(async () => {
        await outbox.add([await dataCall(context, entryid, field, { value: checked.value, details })]);
      });
    },
    async recordFile(entryid, field, file, filename) {
      await mustMove(context, entryid, 'data');
      await inTurn(async () => {
        const photos = await photosOf(context, entryid, field);
        const most = field.max_photos ?? 1;
        if (most > 1 && photos.length >= most)
          throw impossible(`${field.label} takes at most ${most} photos`);
        await keepFile(context, file, filename, fileKind(field), async (id) => [
          await dataCall(
            context,
            entryid,
            field,
            most > 1 ? withPhotos([...photos, id]) : { value: id },
            filename,
          ),
        ]);
      });
    },
    async removePhoto(entryid, field, photo) {
      await inTurn(async () => {
        const photos = await photosOf(context, entryid, field);
        const left = withPhotos(photos.filter((one) => context.resolve(one) !== context.resolve(photo)));
        await outbox.add([await dataCall(context, entryid, field, left)]);
      });
    },
    saveAsOwnOrder: (entryid) => saveAsOwnOrder(context, entryid),
    exportOrder: (entryid) => exportOrder(context, entryid),
    discardOrder: (entryid) => discardOrder(context, entryid),
  };
}

/** What a person recorded in a field. */
interface Recorded {
  value: string;
  details?: GivenDetails;
}

/** The photos of a field as a value: the first one is the value, as in the documented API (FIELD-4). */
function withPhotos([value = '', ...more_photos]: readonly string[]): Recorded {
  return { value, details: { more_photos } };
}

/** The pictures of a field, in order. */
async function photosOf(context: ActionContext, entryid: string, field: FormFieldView): Promise<string[]> {
  const { facts } = await readEntry(context, entryid);
  const last = lastIn(facts, field.field_revisionid);
  return last === undefined ? [] : [last.value, ...(last.more_photos ?? [])].filter((id) => id !== '');
}

function lastIn({ events }: EntryFacts, field_revisionid: number): WorkDataValue | undefined {
  return events
    .flatMap(({ data = [] }) => data)
    .findLast((value) => value.field_revisionid === field_revisionid);
}

/** The call that records a value, and shows the values that follow from it. */
async function dataCall(
  context: ActionContext,
  entryid: string,
  field: FormFieldView,
  { value, details = {} }: Recorded,
  fileName: string | null = null,
): Promise<NewCall> {
  const { id, call, context: about, facts } = await mustMove(context, entryid, 'data');
  const { clock, mirror } = context.sources.core;
  const record = id.startsWith('tmp:') ? null : await mirror.get('workLog', id);
  const before = (revisionid: number): string | null =>
    record === null ? null : recordedValue(record.facts, revisionid);
  const { field_revisionid } = field;
  const settled = settleDetails(field, value, details, lastIn(facts, field_revisionid));
  if ('message' in settled) throw impossible(settled.message);
  const data = workValueOf(field, Number(field.stepid), value, settled);
  const { userid } = data.second_person ?? {};
  if (userid !== undefined && (userid === context.userid() || isOwnWork(facts, data.stepid, userid)))
    throw impossible(`${field.label}: nobody is the second person of work of their own`);
  const values = withSecondPersons(facts, [data, ...followingFrom(data, field, facts)]);
  return {
    ...call,
    kind: 'entry-data',
    method: 'PUT',
    path: `/work_log/${id}/stepData`,
    // Of a computed value the server takes only which revision of its field is shown here (FIELD-6). The emptied name of a
    // second person replaces one that waits (COSIGN-5).
    body: {
      fields: Object.fromEntries(values.map((one) => [String(one.field_revisionid), one.value])),
      ...detailsBody(field, settled),
      ...clock.moment(),
    },
    context: {
      ...about,
      ...Object.fromEntries(
        values.map((one): [`value:${number}`, WaitingValue] => [
          `value:${one.field_revisionid}`,
          { data: one, fileName: one === data ? fileName : null, before: before(one.field_revisionid) },
        ]),
      ),
    } satisfies EntryContext,
  };
}

/** The details in the body of a call. Fields that have none get none, so that every server takes the call. */
function detailsBody(
  field: FormFieldView,
  { reason = '', more_photos = [], second_person = {} }: ValueDetails,
): object {
  const own = {
    ...(second_person.userid === undefined ? {} : { second_person: second_person.userid }),
    ...(field.reason_when_failed === true ? { reason } : {}),
    ...(field.max_photos === undefined ? {} : { more_photos }),
  };
  return Object.keys(own).length === 0 ? {} : { details: { [String(field.field_revisionid)]: own } };
}

/** The values of computed fields that a value of the same form changes. */
function followingFrom(
  data: WorkDataValue,
  { form = [], stepid }: FormFieldView,
  { events }: EntryFacts,
): WorkDataValue[] {
  const all = [...events.flatMap((event) => event.data ?? []), data];
  const last = new Map(all.map(({ field_guid, value }) => [field_guid, value]));
  return computedValues(form, Number(stepid), (guid) => last.get(guid)).filter(
    ({ field_guid, value }) => (last.get(field_guid) ?? '') !== value,
  );
}

function fileKind(field: FormFieldView): 'image' | 'document' | 'video' {
  if (field.field_type === 'Image') return 'image';
  if (field.field_type === 'Video') return 'video';
  if (field.field_type === 'Document') return 'document';
  throw impossible(`${field.label} does not take a file`);
}
