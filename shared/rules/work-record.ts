import type { RecordSeal } from '#shared/model/record-seal.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import type { Confirmation } from '#shared/model/second-person.ts';
import type { WorkRecord, WorkRecordFile } from '#shared/model/work-record.ts';
import { must } from '#shared/must.ts';

import { canonicalJson } from './canonical-json.ts';
import { brokenLimit } from './field-value.ts';
import { foldEntry } from './work-log.ts';

/**
 * The record of an order. `names`: the title of the guide and the people, as the seal of an order that ended has them.
 *
 * - WORK-RECORD-1 The record follows from the events of the order: values with limits, person and time, missing values with
 *   reasons, time for each step and person, pauses, hand-overs with notes, and decisions about revisions.
 * - COSIGN-7 The record has what second persons confirmed before the end. What they confirm later is not part of the record,
 *   whose hash is stored at the end; files have it beside the record, with its own time.
 */
export function recordOf(facts: EntryFacts, names: Omit<RecordSeal, 'sha256'>): WorkRecord {
  const { entryid, workorderid, guideid, serials, events, revisions = [], images } = facts;
  const confirmations = facts.confirmations?.filter(({ late }) => late !== true);
  const folded = foldEntry({ ...facts, confirmations });
  const last = must(events.at(-1), 'an event');
  return {
    format: 'benchbook-work-record',
    version: 1,
    entryid,
    workorderid,
    guideid,
    guide_title: names.guide_title,
    ...(serials === undefined ? {} : { serials }),
    status: folded.status,
    started: iso(must(events[0], 'the start').at),
    ended: folded.endtime === null ? null : iso(last.at),
    duration: folded.duration,
    active_duration: folded.active_duration,
    pause_duration: folded.pause_duration,
    time_adjusted: folded.time_adjusted,
    people: names.people,
    revisions: revisions.map(({ at, ...decision }) => ({ ...decision, at: iso(at) })),
    history: events.flatMap(({ type, userid, at, note }) =>
      type === 'step' || type === 'data'
        ? []
        : [{ type, userid, at: iso(at), ...(note === undefined ? {} : { note }) }],
    ),
    step_times: stepTimes(facts),
    values: folded.work_data.map(({ confirmed, ...value }) => {
      const { field_revisionid, field_type, limits, more_photos = [] } = value;
      const recorded = must(
        events.findLast(({ data = [] }) => data.some((one) => one.field_revisionid === field_revisionid)),
        'the event with the value',
      );
      const files =
        field_type === 'Image'
          ? [value.value, ...more_photos].flatMap(
              (id) => images.find((one) => String(one.id) === id)?.guid ?? [],
            )
          : [];
      return {
        ...value,
        ...(limits === undefined ? {} : { out_of_limits: brokenLimit(value) !== null }),
        ...(files.length === 0 ? {} : { files }),
        ...(confirmed === undefined ? {} : { confirmed: recordedConfirmation(confirmed) }),
        userid: recorded.userid,
        at: iso(recorded.at),
      };
    }),
    missing: folded.gaps.map(({ label, stepid, field_guid, reason }) => ({
      label,
      stepid,
      field_guid,
      reason,
    })),
  };
}

function recordedConfirmation({ userid, name, at, method, values_sha256 }: Confirmation) {
  return { userid, name, at: iso(at), method, values_sha256 };
}

/** What second persons confirmed after the end of the order, oldest first (COSIGN-7). */
export function lateConfirmations({
  events,
  confirmations = [],
}: EntryFacts): WorkRecordFile['confirmations'] {
  return confirmations.flatMap((one) => {
    const value = events[one.event]?.data?.find(({ field_guid }) => field_guid === one.field_guid);
    if (one.late !== true || value === undefined) return [];
    const { label, stepid, value: name } = value;
    return [{ label, stepid, value: name, ...recordedConfirmation(one) }];
  });
}

/** The text whose SHA-256 is the hash of a record. */
export function recordText(record: WorkRecord): string {
  return canonicalJson(record);
}

/** Everyone who appears in the record of an order, in the order of their numbers. */
export function peopleIn({ events, revisions = [] }: EntryFacts): number[] {
  const all = [...events, ...revisions].map(({ userid }) => userid);
  return [...new Set(all)].toSorted((a, b) => a - b);
}

/** Working time at each step for each holder: what each period between two hand-overs adds. */
function stepTimes(facts: EntryFacts): WorkRecord['step_times'] {
  const { events } = facts;
  const ends = [...events.keys()].filter((index) => index > 0 && events[index]?.type === 'assume');
  const times = new Map<string, WorkRecord['step_times'][number]>();
  let before = new Map<number, number>();
  for (const end of [...ends, events.length - 1]) {
    const { step_durations } = foldEntry({ ...facts, events: events.slice(0, end + 1) });
    // At the hand-over itself, the time until then still is that of the person before.
    const userid = foldEntry({ ...facts, events: events.slice(0, Math.max(1, end)) }).userid;
    const now = new Map(step_durations.map(({ stepid, duration }) => [stepid, duration]));
    for (const [stepid, duration] of now) {
      const added = duration - (before.get(stepid) ?? 0);
      if (added <= 0) continue;
      const key = `${stepid} ${userid}`;
      const known = times.get(key)?.duration ?? 0;
      times.set(key, { stepid, userid, duration: known + added });
    }
    before = now;
  }
  return [...times.values()];
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
