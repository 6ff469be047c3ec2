import { useMemo, useState } from 'react';

import type { RecordedValue, WorkOrder } from '#desktop/engine/api/records.ts';
import type { Actions, Engine } from '#desktop/engine/engine.ts';
import { useEngine } from '#desktop/renderer/engine-context.tsx';
import type { FormField } from '#shared/model/step-form.ts';
import type { WorkDataValue } from '#shared/model/work-log.ts';
import { computedValues } from '#shared/rules/computed-values.ts';
import { brokenLimit, isFailure, workValueOf } from '#shared/rules/field-value.ts';

/** What is tried out in the preview, by the `field_guid` of the field. */
export type Tried = Readonly<Record<string, { value: string; reason: string }>>;

/**
 * The engine as fields of the preview see it: a value that is recorded stays in the preview, and everything else is as it is.
 * Nothing is stored.
 */
export function usePreviewEngine(): { engine: Engine; tried: Tried } {
  const engine = useEngine();
  const [tried, setTried] = useState<Tried>({});
  const preview = useMemo(() => {
    const actions: Actions = {
      ...engine.actions,
      async recordValue(_entryid, { field_guid }, value, details) {
        setTried((now) => ({
          ...now,
          [field_guid]: { value, reason: details?.reason ?? '' },
        }));
      },
      async keepForm() {},
    };
    return { ...engine, actions };
  }, [engine]);
  return { engine: preview, tried };
}

/** An order with the tried values, as far as fields look at it. */
export function previewOrder(fields: readonly FormField[], tried: Tried): WorkOrder {
  const valueOf = (guid: string) => tried[guid]?.value;
  const typed = fields.flatMap((field) => {
    const one = tried[field.field_guid];
    return one === undefined || field.computed !== undefined
      ? []
      : [workValueOf(field, 0, one.value, one.reason === '' ? {} : { reason: one.reason })];
  });
  const values = [...typed, ...computedValues(fields, 0, valueOf)];
  return {
    entryid: 'preview',
    workorderid: '',
    serials: [],
    guideid: '',
    guideTitle: '',
    imageGuid: null,
    status: 'started',
    userid: 0,
    username: '',
    mine: true,
    startedAt: 0,
    endedAt: null,
    activeMs: 0,
    asOf: 0,
    running: false,
    activeStepid: null,
    statusSince: 0,
    stepMs: {},
    values: Object.fromEntries(values.map((value) => [value.field_revisionid, recorded(value)])),
    stepsDone: [],
    gaps: [],
    history: [],
    revision: null,
    release: null,
    revisions: [],
    handover: null,
    timeAdjusted: false,
    pending: 0,
    frozen: false,
  };
}

function recorded(value: WorkDataValue): RecordedValue {
  const side = brokenLimit(value);
  const limit = side === null ? null : (value.limits?.[side] ?? null);
  return {
    value: value.value,
    label: value.label,
    stepid: '0',
    fieldType: value.field_type,
    fileName: null,
    imageGuid: null,
    broken: side === null || limit === null ? null : { side, limit },
    limits: value.limits ?? null,
    unit: value.unit ?? '',
    isComputed: value.computed === true,
    isFailed: isFailure(value),
    reason: value.reason ?? '',
    morePhotos: [],
    second: null,
    saved: 'device',
  };
}
