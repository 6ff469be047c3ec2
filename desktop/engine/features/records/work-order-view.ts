import type {
  EntryEvent,
  EntryEventType,
  EntryFacts,
  EntryStatus,
  WorkDataValue,
} from '#shared/model/work-log.ts';
import { brokenLimit, isFailure } from '#shared/rules/field-value.ts';
import { canMove, foldEntry, type FoldedValue } from '#shared/rules/work-log.ts';
import { revisionInForce } from '#shared/rules/work-revision.ts';

import type { LocalEntry } from './overlay/entry.ts';
import type { SecondPersonView } from '#desktop/engine/api/order-signing.ts';
import type { RecordedValue, WorkOrder } from '#desktop/engine/api/records.ts';

/** What is needed to show a work order. */
export interface WorkOrderContext {
  me: number;
  /** Estimated server clock minus device clock in ms. */
  offset: number;
  guideTitle: string;
  imageGuid: string | null;
  nameOf(userid: number): string;
}

/**
 * A work order as the screens show it. Times are those at its last event, so that the value changes only when the order
 * does. `asOf` is in the device's time; screens add the time since then.
 */
export function workOrderView(entry: LocalEntry, context: WorkOrderContext): WorkOrder {
  const { events } = entry.facts;
  const folded = foldEntry(entry.facts);
  const stepName = (stepid: number): string => entry.stepIds.get(stepid) ?? String(stepid);
  const activeStepid = folded.active_stepid === null ? null : stepName(folded.active_stepid);
  const visited = new Set(
    events.flatMap((event) => (event.stepid === undefined ? [] : [stepName(event.stepid)])),
  );
  if (activeStepid !== null) visited.delete(activeStepid);
  const stationOf = stationsOfValues(entry.facts, context);
  return {
    entryid: entry.entryid,
    workorderid: entry.facts.workorderid,
    serials: entry.facts.serials ?? [],
    ...stationsIn(entry.facts, context),
    guideid: entry.guideid,
    guideTitle: context.guideTitle,
    imageGuid: context.imageGuid,
    status: folded.status,
    userid: folded.userid,
    username: context.nameOf(folded.userid),
    mine: folded.userid === context.me,
    startedAt: folded.starttime * 1000,
    endedAt: folded.endtime === null ? null : folded.endtime * 1000,
    activeMs: folded.activeMs,
    asOf: folded.asOf - context.offset,
    running: folded.status === 'started',
    activeStepid,
    statusSince: statusSince(events),
    stepMs: Object.fromEntries(
      folded.step_durations.map(({ stepid, duration }) => [stepName(stepid), duration * 1000]),
    ),
    values: Object.fromEntries(
      folded.work_data.map((value) => [
        value.field_revisionid,
        { ...recorded(value, entry), ...stationOf.get(value.field_revisionid) },
      ]),
    ),
    stepsDone: [...visited],
    handover:
      folded.handover === null
        ? null
        : {
            note: folded.handover.note,
            username: context.nameOf(folded.handover.userid),
            at: folded.handover.at - context.offset,
          },
    gaps: folded.gaps.map(({ label, stepid, reason }) => ({ label, stepid: stepName(stepid), reason })),
    history: events.flatMap(({ type, userid, at, note = null, stationid }) =>
      type === 'step' || type === 'data'
        ? []
        : [
            {
              type,
              username: context.nameOf(userid),
              at: at - context.offset,
              note,
              ...stationNamed(stationid, context),
            },
          ],
    ),
    revision: revisionInForce(entry.facts) ?? null,
    release: entry.facts.release?.title ?? null,
    revisions: (entry.facts.revisions ?? []).map(({ decision, userid, at, ...revision }) => ({
      decision,
      revision,
      username: context.nameOf(userid),
      at: at - context.offset,
    })),
    timeAdjusted: folded.time_adjusted,
    pending: entry.pending,
    frozen: entry.frozen,
  };
}

type Names = Pick<WorkOrderContext, 'nameOf'>;

/** The name of a station in a view; nothing if it was not at one. */
export function stationNamed(stationid: number | undefined, { nameOf }: Names): { station?: string } {
  return stationid === undefined ? {} : { station: nameOf(stationid) };
}

/**
 * Names of the stations at which an order was recorded, the first one first; nothing if it was at none.
 *
 * - STATION-ENGINE-15 Orders, their values, moves and deviations say at which station they were recorded, on every device,
 *   also before the server has them.
 */
export function stationsIn(
  { events }: Pick<EntryFacts, 'events'>,
  { nameOf }: Names,
): { stations?: readonly string[] } {
  const ids = new Set(events.flatMap(({ stationid }) => stationid ?? []));
  return ids.size === 0 ? {} : { stations: [...new Set([...ids].map(nameOf))] };
}

/** Where the last value of each field was recorded, by `field_revisionid`. */
function stationsOfValues(
  { events }: Pick<EntryFacts, 'events'>,
  names: Names,
): ReadonlyMap<number, { station?: string }> {
  return new Map(
    events.flatMap(({ data = [], stationid }) =>
      data.map(({ field_revisionid }) => [field_revisionid, stationNamed(stationid, names)] as const),
    ),
  );
}

function recorded(data: FoldedValue, entry: LocalEntry): RecordedValue {
  const revision = data.field_revisionid;
  return {
    value: data.value,
    label: data.label,
    stepid: String(data.stepid),
    fieldType: data.field_type,
    fileName: entry.fileNames.get(revision) ?? null,
    imageGuid: data.field_type === 'Image' ? imageGuidOf(data.value, entry) : null,
    broken: brokenOf(data),
    limits: data.limits ?? null,
    unit: data.unit ?? '',
    isComputed: data.computed === true,
    isFailed: isFailure(data),
    reason: data.reason ?? '',
    second: secondOf(data),
    morePhotos: (data.more_photos ?? []).map((value) => ({ value, imageGuid: imageGuidOf(value, entry) })),
    saved: entry.unsaved.has(revision) ? 'device' : 'server',
  };
}

/** The second person of a value: confirmed, or only named (COSIGN-4). */
function secondOf({ value, second_person, confirmed }: FoldedValue): SecondPersonView | null {
  if (second_person === undefined) return null;
  const unverified = { named: null, at: null, method: null, isLate: false };
  if (confirmed !== undefined) {
    const { name, method, at, late = false } = confirmed;
    return {
      state: 'confirmed',
      name,
      named: value === name || second_person.userid === confirmed.userid ? null : value,
      at,
      method,
      isLate: late,
    };
  }
  return second_person.lost === undefined
    ? { state: 'named', name: value, ...unverified }
    : { state: 'lost', name: second_person.lost, ...unverified };
}

/** The limit that a recorded value breaks, for screens; null: none. */
export function brokenOf(data: WorkDataValue): RecordedValue['broken'] {
  const side = brokenLimit(data);
  const limit = side === null ? null : (data.limits?.[side] ?? null);
  return side === null || limit === null ? null : { side, limit };
}

/**
 * The guid of an image value. The value is the image's id, or the temporary id of its upload, which is its guid here.
 */
function imageGuidOf(value: string, entry: LocalEntry): string | null {
  if (value.startsWith('tmp:')) return value;
  return entry.facts.images.find((image) => String(image.id) === value)?.guid ?? null;
}

/** The status after a move. Other moves do not change it. */
export const statusAfter: Partial<Record<EntryEventType, EntryStatus>> = {
  pause: 'paused',
  resume: 'started',
  suspend: 'suspended',
  assume: 'started',
  finish: 'complete',
  cancel: 'cancelled',
};

/** When the present status began. */
function statusSince(events: readonly EntryEvent[]): number {
  let status: EntryStatus = 'started';
  let since = events[0]?.at ?? 0;
  for (const { type, at } of events) {
    const next = statusAfter[type];
    if (next === undefined || type === 'start' || !canMove(status, type)) continue;
    status = next;
    since = at;
  }
  return since;
}

const order: Record<EntryStatus, number> = { started: 0, paused: 1, suspended: 2, complete: 3, cancelled: 3 };

/** Sorted by status (running, paused, suspended, ended), and within each status latest first. */
export function sortWorkOrders<O extends WorkOrder>(orders: readonly O[]): O[] {
  return orders.toSorted(
    (a, b) =>
      order[a.status] - order[b.status] ||
      b.statusSince - a.statusSince ||
      a.workorderid.localeCompare(b.workorderid),
  );
}
