import type { WorkOrder } from '#desktop/engine/api/records.ts';
import type { WorkedRevision } from '#shared/model/revision.ts';

/** In ms. */
export const minute = 60_000;

/** Revision 7 of the demo guides, which is approved. */
export const revisionSeven: WorkedRevision = {
  guide_revisionid: 410,
  form_revisionid: 12,
  counted: { number: 7, date: Date.UTC(2026, 10, 3) / 1000 },
  approval: 'approved',
};

/** An order that was started by a revision. `at`: ms since 1970. */
export function startedBy(
  revision: WorkedRevision,
  username: string,
  at: number,
): Pick<WorkOrder, 'revision' | 'release' | 'revisions'> {
  return { revision, release: null, revisions: [{ decision: 'start', revision, username, at }] };
}

/** A running order of the person on the bench grinder. */
export function runningOrder(): WorkOrder {
  const now = Date.now();
  return {
    entryid: '501',
    workorderid: 'WO-1042',
    serials: [],
    guideid: '9001',
    guideTitle: 'Bench Grinder Drive Belt Replacement',
    imageGuid: 'BeltGuideCover01',
    status: 'started',
    userid: 9101,
    username: 'Ana Ruiz',
    mine: true,
    startedAt: now - 20 * minute,
    endedAt: null,
    statusSince: now - 13 * minute,
    activeMs: 12 * minute + 43_000,
    asOf: now,
    running: true,
    activeStepid: '90004',
    stepMs: { 90001: 4 * minute, 90002: 3 * minute + 12_000, 90003: 2 * minute, 90004: 3 * minute + 31_000 },
    values: {
      97001: value('1', 'Plug locked, both wheels stand still', '90001', 'Checkbox', 'server'),
      97002: value('2.4', 'Screw torque after refitting (Nm)', '90004', 'Numeric Input', 'device'),
      97003: value('Pass', 'Cover undamaged', '90004', 'Radios', 'device'),
    },
    stepsDone: ['90001', '90002', '90003'],
    gaps: [],
    history: [
      { type: 'start', username: 'Ana Ruiz', at: now - 20 * minute, note: null },
      { type: 'pause', username: 'Ana Ruiz', at: now - 15 * minute, note: null },
      { type: 'resume', username: 'Ana Ruiz', at: now - 13 * minute, note: null },
    ],
    handover: null,
    ...startedBy(revisionSeven, 'Ana Ruiz', now - 20 * minute),
    timeAdjusted: false,
    pending: 3,
    frozen: false,
  };
}

function value(
  words: string,
  label: string,
  stepid: string,
  fieldType: WorkOrder['values'][string]['fieldType'],
  saved: 'device' | 'server',
): WorkOrder['values'][string] {
  return {
    value: words,
    label,
    stepid,
    fieldType,
    fileName: null,
    imageGuid: null,
    broken: null,
    limits: null,
    unit: '',
    isComputed: false,
    isFailed: fieldType === 'Radios' && words === 'Fail',
    reason: '',
    morePhotos: [],
    second: null,
    saved,
  };
}

/** Orders in the other states, and one of another person. */
export function otherOrders(): WorkOrder[] {
  const now = Date.now();
  const base = { ...runningOrder(), running: false, activeStepid: null, pending: 0 };
  return [
    {
      ...base,
      entryid: '502',
      workorderid: 'WO-1039',
      status: 'paused',
      guideid: '101',
      guideTitle: 'Wheel dressing',
      imageGuid: 'BeltStep02Image2',
      activeMs: 5 * minute,
      startedAt: now - 180 * minute,
      values: {},
      stepMs: {},
    },
    {
      ...base,
      entryid: '503',
      workorderid: 'WO-1031',
      status: 'suspended',
      mine: false,
      userid: 9102,
      username: 'Ben Okafor',
      activeMs: 31 * minute,
      statusSince: now - 130 * minute,
    },
    {
      ...base,
      entryid: '504',
      workorderid: 'WO-1017',
      status: 'complete',
      startedAt: now - 27 * 60 * minute,
      endedAt: now - 26 * 60 * minute,
      activeMs: 38 * minute + 9000,
      timeAdjusted: true,
      values: {
        97001: value('1', 'Plug locked, both wheels stand still', '90001', 'Checkbox', 'server'),
        97004: value('Cracked', 'Condition of the old belt', '90007', 'Select', 'server'),
        97006: {
          ...value('33', 'Photo of the seated belt', '90008', 'Image', 'server'),
          imageGuid: 'BeltStep08Image1',
        },
      },
    },
    {
      ...base,
      entryid: '505',
      workorderid: 'WO-1002',
      status: 'cancelled',
      startedAt: now - 301 * 60 * minute,
      endedAt: now - 300 * 60 * minute,
      values: {},
      stepMs: {},
    },
  ];
}
