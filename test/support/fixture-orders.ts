import { brokenOf } from '#desktop/engine/features/records/work-order-view.ts';
import { computedValues } from '#shared/rules/computed-values.ts';
import { isFailure, workValueOf } from '#shared/rules/field-value.ts';
import type { WorkOrderActions } from '#desktop/engine/actions/work-orders.ts';
import type { FormFieldView, RecordedValue, WorkOrder } from '#desktop/engine/api/records.ts';
import { must } from '#shared/must.ts';

import { revisionSeven, startedBy } from './demo-orders.ts';
import { findGuide } from './fixture-guides.ts';
import type { World } from './fixture-world.ts';

/** The engine's actions on work orders, in the fixture's world. `keep` stores a file and returns its guid. */
export function orderActions(
  world: () => World,
  change: (make: (now: World) => Partial<World>) => void,
  newId: () => string,
  keep: (file: Blob) => string,
): WorkOrderActions {
  const changeOrder = (entryid: string, make: (order: WorkOrder) => Partial<WorkOrder>) =>
    change((now) => ({
      orders: now.orders.map((order) => (order.entryid === entryid ? { ...order, ...make(order) } : order)),
      sync: { ...now.sync, pending: now.sync.pending + 1 },
    }));
  const record = (entryid: string, field: FormFieldView, value: Partial<RecordedValue>) =>
    changeOrder(entryid, (order) => ({
      values: {
        ...order.values,
        [field.field_revisionid]: {
          value: '',
          label: field.label,
          stepid: field.stepid,
          fieldType: field.field_type,
          fileName: null,
          imageGuid: null,
          broken: brokenOf(workValueOf(field, 0, value.value ?? '')),
          limits: workValueOf(field, 0, value.value ?? '').limits ?? null,
          unit: field.unit ?? '',
          isComputed: false,
          isFailed: isFailure(workValueOf(field, 0, value.value ?? '')),
          reason: '',
          morePhotos: [],
          second: null,
          saved: 'device',
          ...value,
        },
      },
    }));

  /** Records what follows from the values of a form, as the engine does. */
  const compute = (entryid: string, { form = [], stepid }: FormFieldView): void => {
    const order = world().orders.find((one) => one.entryid === entryid);
    const texts = new Map(
      form.map(({ field_guid, field_revisionid }) => [field_guid, order?.values[field_revisionid]?.value]),
    );
    for (const { value, field_revisionid } of computedValues(form, Number(stepid), (guid) =>
      texts.get(guid),
    )) {
      const field = form.find((one) => one.field_revisionid === field_revisionid);
      if (field !== undefined) record(entryid, { ...field, stepid }, { value, isComputed: true });
    }
  };

  const photosIn = (entryid: string, field: FormFieldView): string[] => {
    const value = world().orders.find((one) => one.entryid === entryid)?.values[field.field_revisionid];
    return value === undefined
      ? []
      : [value.value, ...value.morePhotos.map((photo) => photo.value)].filter((one) => one !== '');
  };
  const showPhotos = (entryid: string, field: FormFieldView, [first = '', ...rest]: string[]): void =>
    record(entryid, field, {
      value: first,
      imageGuid: first === '' ? null : first,
      morePhotos: rest.map((value) => ({ value, imageGuid: value })),
    });

  const moveOrder = (entryid: string, move: Parameters<WorkOrderActions['moveWorkOrder']>[1]): void => {
    const now = Date.now();
    const statuses = {
      pause: 'paused',
      resume: 'started',
      suspend: 'suspended',
      assume: 'started',
      finish: 'complete',
      cancel: 'cancelled',
    } as const;
    const status = statuses[move];
    changeOrder(entryid, (order) => ({
      status,
      statusSince: now,
      activeMs: order.running ? order.activeMs + now - order.asOf : order.activeMs,
      asOf: now,
      running: status === 'started',
      endedAt: status === 'complete' || status === 'cancelled' ? now : null,
      mine: order.mine || move === 'assume',
    }));
  };

  return {
    async startWorkOrder(guideid, workorderid, { serials = [] } = {}) {
      const now = Date.now();
      const guide = must(findGuide(world(), guideid), 'the guide');
      const order: WorkOrder = {
        entryid: newId(),
        workorderid,
        serials,
        guideid,
        guideTitle: guide.title,
        imageGuid: guide.imageGuid,
        status: 'started',
        userid: 9101,
        username: 'Ana Ruiz',
        mine: true,
        startedAt: now,
        endedAt: null,
        statusSince: now,
        activeMs: 0,
        asOf: now,
        running: true,
        activeStepid: null,
        stepMs: {},
        values: {},
        stepsDone: [],
        gaps: [],
        history: [{ type: 'start', username: 'Ana Ruiz', at: now, note: null }],
        handover: null,
        ...startedBy(revisionSeven, 'Ana Ruiz', now),
        timeAdjusted: false,
        pending: 1,
        frozen: false,
      };
      change(({ orders }) => ({ orders: [order, ...orders] }));
      return order.entryid;
    },
    async moveWorkOrder(entryid, move) {
      moveOrder(entryid, move);
    },
    async suspendWorkOrder(entryid, note) {
      moveOrder(entryid, 'suspend');
      const handover = { note, username: 'Ana Ruiz', at: Date.now() };
      changeOrder(entryid, () => ({ handover: note === '' ? null : handover }));
    },
    async finishWorkOrder(entryid, gaps) {
      moveOrder(entryid, 'finish');
      changeOrder(entryid, () => ({
        gaps: gaps.map(({ field: { label, stepid }, reason }) => ({ label, stepid, reason })),
      }));
    },
    async enterStep(entryid, stepid) {
      changeOrder(entryid, (order) => ({
        activeStepid: stepid,
        stepsDone:
          order.activeStepid === null
            ? order.stepsDone
            : [...new Set([...order.stepsDone, order.activeStepid])],
      }));
    },
    async recordValue(entryid, field, value, { reason = '' } = {}) {
      const second = {
        state: 'named',
        name: value,
        named: null,
        at: null,
        method: null,
        isLate: false,
      } as const;
      record(entryid, field, {
        value,
        reason,
        ...(field.second_person === undefined || value === '' ? {} : { second }),
      });
      compute(entryid, field);
    },
    async recordFile(entryid, field, file, fileName) {
      const guid = keep(file);
      const before = photosIn(entryid, field);
      if (field.max_photos !== undefined) return showPhotos(entryid, field, [...before, guid]);
      record(entryid, field, {
        value: guid,
        fileName,
        imageGuid: field.field_type === 'Image' ? guid : null,
      });
    },
    async removePhoto(entryid, field, photo) {
      showPhotos(
        entryid,
        field,
        photosIn(entryid, field).filter((one) => one !== photo),
      );
    },
    async saveAsOwnOrder(entryid) {
      changeOrder(entryid, () => ({ frozen: false, mine: true }));
      return entryid;
    },
    async exportOrder(entryid) {
      return { filename: `${entryid}.json`, json: '{}' };
    },
    async discardOrder(entryid) {
      change((now) => ({ orders: now.orders.filter((order) => order.entryid !== entryid) }));
    },
  };
}
