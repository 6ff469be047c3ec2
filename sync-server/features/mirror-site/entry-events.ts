import type { EntryEvent, EntryGap, EntryStatus, WorkDataValue } from '#shared/model/work-log.ts';

/** What the API tells about an entry, with the ids of this site. Times in UNIX seconds, durations in seconds. */
export interface ToldEntry {
  userid: number;
  status: EntryStatus;
  starttime: number;
  endtime: number | null;
  duration: number;
  active_duration: number;
  pause_duration: number;
  step_durations: readonly { stepid: number; duration: number }[];
  active_stepid: number | null;
  values: WorkDataValue[];
  gaps: EntryGap[];
  handover: { note: string; userid: number } | null;
  /** The time of the answer. */
  now: number;
}

/**
 * Events that give the times, state and values of an entry: first the work, in the order of the steps, then the pauses, then
 * the time during which it was suspended, then the end.
 */
export function eventsOf(entry: ToldEntry): EntryEvent[] {
  const { userid, status, starttime, duration, pause_duration: paused, handover } = entry;
  const isOver = status === 'complete' || status === 'cancelled';
  const end = isOver ? (entry.endtime ?? starttime + duration) : Math.max(starttime + duration, starttime);
  // The times are whole seconds, so the duration may be a second shorter than from start to end.
  const start = starttime * 1000 + (isOver && end - starttime > duration ? 500 : 0);
  const active = Math.max(0, Math.min(entry.active_duration, duration));
  const suspended = Math.max(0, duration - active - paused);
  const events: EntryEvent[] = workOf(entry, start, active);
  const add = (type: EntryEvent['type'], at: number, more: Partial<EntryEvent> = {}): void =>
    void events.push({ type, userid, at, ...more });
  const worked = start + active * 1000;
  const rested = worked + paused * 1000;
  const note = handover === null || handover.note === '' ? {} : { note: handover.note };
  const giver = handover?.userid ?? userid;
  const wasSuspended = suspended > 0 || handover !== null || status === 'suspended';
  if (entry.values.length > 0) add('data', worked, { data: entry.values });
  if (paused > 0 || status === 'paused') add('pause', worked);
  if (wasSuspended) events.push({ type: 'suspend', userid: giver, at: rested, ...note });
  const last = isOver ? end * 1000 : rested + suspended * 1000;
  const step = entry.active_stepid === null ? {} : { stepid: entry.active_stepid };
  if (status === 'suspended') return events;
  if (wasSuspended) add('assume', last, status === 'started' ? step : {});
  else if (paused > 0 && status === 'started') add('resume', last, step);
  if (wasSuspended && status === 'paused') add('pause', last);
  if (status === 'complete') add('finish', last, entry.gaps.length === 0 ? {} : { gaps: entry.gaps });
  if (status === 'cancelled') add('cancel', last);
  return events;
}

/** The start, and a step for each that took time. Time without a step comes first. */
function workOf(
  { userid, step_durations, active_stepid, status }: ToldEntry,
  start: number,
  active: number,
): EntryEvent[] {
  const timed = step_durations.filter(({ duration }) => duration > 0);
  const inSteps = timed.reduce((sum, { duration }) => sum + duration, 0);
  const before = Math.max(0, active - inSteps);
  const [first] = timed;
  const stepid = before > 0 || first === undefined ? undefined : first.stepid;
  const events: EntryEvent[] = [
    { type: 'start', userid, at: start, ...(stepid === undefined ? {} : { stepid }) },
  ];
  let at = start + before * 1000;
  for (const [index, one] of timed.entries()) {
    if (index > 0 || before > 0) events.push({ type: 'step', userid, at, stepid: one.stepid });
    at += one.duration * 1000;
  }
  const isElsewhere = active_stepid !== null && timed.at(-1)?.stepid !== active_stepid;
  if (status === 'started' && isElsewhere) events.push({ type: 'step', userid, at, stepid: active_stepid });
  return events;
}
