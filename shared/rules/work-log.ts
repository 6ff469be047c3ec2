import type { Confirmation } from '#shared/model/second-person.ts';
import type {
  EntryEvent,
  EntryEventType,
  EntryFacts,
  EntryGap,
  EntryStatus,
  Moment,
  WorkDataValue,
} from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';

/** The events that are possible after an entry has started. */
export type EntryMove = Exclude<EntryEventType, 'start'>;

/**
 * The state transitions of each move (spec, "States and transitions"; source states are not in the spec and are ours).
 */
const transitions: Record<EntryMove, Partial<Record<EntryStatus, EntryStatus>>> = {
  step: { started: 'started' },
  data: { started: 'started', paused: 'paused' },
  pause: { started: 'paused' },
  resume: { paused: 'started' },
  suspend: { started: 'suspended', paused: 'suspended' },
  assume: { suspended: 'started' },
  finish: { started: 'complete', paused: 'complete' },
  cancel: { started: 'cancelled', paused: 'cancelled' },
};

/** Tolerated error of a clock or an estimated offset, in ms; a larger one is flagged. */
const toleranceMs = 5000;

/** Earliest start of an entry before its arrival, in ms: the retention time of Idempotency-Keys. */
const oldestStartMs = 400 * 24 * 3600 * 1000;

/** The state computed from the events of an entry. Names and units (UNIX seconds, seconds) are those of the API. */
export interface FoldedEntry {
  status: EntryStatus;
  /** The current holder. */
  userid: number;
  starttime: number;
  /** Null while the entry is open. */
  endtime: number | null;
  /** From the start to the end, or to the time given; includes suspended time. */
  duration: number;
  active_duration: number;
  pause_duration: number;
  /** Null unless time is running on a step. */
  active_stepid: number | null;
  step_durations: { stepid: number; duration: number }[];
  /** Number of the last timing segment: every event except `data` begins one. */
  timingid: number;
  cancelled: 0 | 1;
  time_adjusted: boolean;
  /** The last value of each field revision, in the order of the first writes. */
  work_data: FoldedValue[];
  /** Required values that were missing at the end. Empty while the entry is open. */
  gaps: EntryGap[];
  /** The last suspension, if its author left a note. `at`: ms since 1970. */
  handover: { note: string; userid: number; at: number } | null;
  /** Everyone who held the entry, first holder first. */
  participants: number[];
  /** Whether the entry was suspended, that is, offered to others, at least once. */
  wasSuspended: boolean;
  /** The user who made the last change of state. */
  lastMover: number;
  /** Working time in ms up to `asOf`. */
  activeMs: number;
  /** The time up to which time is counted, in ms since 1970: the last event, or `now`. */
  asOf: number;
}

/** A value with its confirmation, if a second person confirmed it. */
export interface FoldedValue extends WorkDataValue {
  confirmed?: Confirmation;
}

/** Whether `move` is possible for an entry in `status`, regardless of the user. */
export function canMove(status: EntryStatus, move: EntryMove): boolean {
  return transitions[move][status] !== undefined;
}

/**
 * Why `userid` cannot make `move` now: `conflict` (409) when a move by another user made it impossible, `invalid` (422)
 * otherwise; null when it is possible. `mayActForOthers`: true for administrators, who need not hold the entry.
 */
export function moveRefusal(
  facts: EntryFacts,
  move: EntryMove,
  userid: number,
  mayActForOthers = false,
): 'conflict' | 'invalid' | null {
  const { status, userid: holder, lastMover } = foldEntry(facts);
  if (!canMove(status, move)) return lastMover === userid ? 'invalid' : 'conflict';
  return move === 'assume' || holder === userid || mayActForOthers ? null : 'conflict';
}

/** An event before its time is determined. */
export interface NewEvent {
  type: EntryEventType;
  userid: number;
  moment?: Moment | undefined;
  data?: WorkDataValue[] | undefined;
  gaps?: EntryGap[] | undefined;
  note?: string | undefined;
  /** The station at which it was recorded. */
  stationid?: number | undefined;
}

/**
 * Adds an event to the facts; returns the same facts when the state of the entry does not allow it. The first event
 * must be `start`. Its time is between the previous event and `now` (the server's clock in ms, or a device's estimate
 * of it). It is measured with the monotonic clock if an earlier event of the same page session is known, else with the
 * wall clock corrected by the offset. Clock skew is flagged on the event, never refused.
 */
export function appendEvent(facts: EntryFacts, event: NewEvent, now: number): EntryFacts {
  if (event.type === 'start' ? facts.events.length > 0 : !allows(facts, event.type)) return facts;
  const { moment = {}, type, userid, data, gaps, note, stationid } = event;
  const stored: EntryEvent = { type, userid, ...settle(facts.events, moment, now) };
  if (moment.stepid !== undefined && beginsWork(type)) stored.stepid = moment.stepid;
  if (data !== undefined) stored.data = data;
  if (gaps !== undefined && gaps.length > 0) stored.gaps = gaps;
  if (note !== undefined && note !== '') stored.note = note;
  if (stationid !== undefined) stored.stationid = stationid;
  return { ...facts, events: [...facts.events, stored] };
}

function allows(facts: EntryFacts, move: EntryMove): boolean {
  return facts.events.length > 0 && canMove(foldEntry(facts).status, move);
}

/** Whether time runs on a step after this event; only such events name a step. */
function beginsWork(type: EntryEventType): boolean {
  return type === 'start' || type === 'step' || type === 'resume' || type === 'assume';
}

/** When something in an entry happened, in ms on the server's clock: determined as the time of an event. */
export function eventTime({ events }: EntryFacts, taken: Moment, now: number): number {
  return settle(events, taken, now).at;
}

type Settled = Pick<EntryEvent, 'at' | 'mono' | 'session' | 'adjusted'>;

function settle(events: EntryEvent[], moment: Moment, now: number): Settled {
  const { mono, session, offset = 0 } = moment;
  const previous = events.at(-1);
  const anchor = mono === undefined || session === undefined ? undefined : findAnchor(events, session, mono);
  const wall = moment.at === undefined ? now : moment.at + offset;
  const measured = anchor === undefined ? wall : anchor.at + (must(mono, 'mono') - must(anchor.mono, 'mono'));
  const earliest = previous?.at ?? now - oldestStartMs;
  const at = Math.round(Math.max(earliest, Math.min(measured, now)));
  const byWallClock = anchor === undefined && moment.at !== undefined;
  const adjusted = Math.abs(at - measured) > toleranceMs || (byWallClock && Math.abs(offset) > toleranceMs);
  return {
    at,
    ...(mono === undefined ? {} : { mono }),
    ...(session === undefined ? {} : { session }),
    ...(adjusted ? { adjusted } : {}),
  };
}

/** The latest event of the same page session, if its monotonic reading is not later than this one. */
function findAnchor(events: EntryEvent[], session: string, mono: number): EntryEvent | undefined {
  const latest = events.findLast((event) => event.session === session && event.mono !== undefined);
  return latest?.mono !== undefined && latest.mono <= mono ? latest : undefined;
}

/** The time between two events in ms: by the monotonic clock within a page session, else by the stored times. */
function spanMs(from: EntryEvent, to: EntryEvent): number {
  const isSameSession = from.session !== undefined && from.session === to.session;
  if (isSameSession && from.mono !== undefined && to.mono !== undefined && to.mono >= from.mono) {
    return to.mono - from.mono;
  }
  return Math.max(0, to.at - from.at);
}

interface Running {
  status: EntryStatus;
  stepid: number | null;
  ms: Record<EntryStatus, number>;
  stepMs: Map<number, number>;
}

function addTime(running: Running, ms: number): void {
  running.ms[running.status] += ms;
  if (running.status !== 'started' || running.stepid === null) return;
  running.stepMs.set(running.stepid, (running.stepMs.get(running.stepid) ?? 0) + ms);
}

/**
 * Computes the state of an entry from its events. Time of an open entry is counted up to `now` (ms, server time), or up
 * to the last event if `now` is not given. Events that the state does not allow are ignored. Throws when there is no
 * start event.
 */
export function foldEntry(facts: EntryFacts, now?: number): FoldedEntry {
  const start = must(facts.events[0], 'a start event');
  const running: Running = {
    status: 'started',
    stepid: start.stepid ?? null,
    ms: { started: 0, paused: 0, suspended: 0, complete: 0, cancelled: 0 },
    stepMs: new Map(),
  };
  const holders = [start.userid];
  const values = new Map<number, FoldedValue>();
  const segments = [start];
  let last = start;
  let mover = start;
  for (const [index, event] of facts.events.entries()) {
    if (index === 0) continue;
    const next = event.type === 'start' ? undefined : transitions[event.type][running.status];
    if (next === undefined) continue;
    addTime(running, spanMs(last, event));
    if (next !== running.status) mover = event;
    running.status = next;
    if (event.stepid !== undefined) running.stepid = event.stepid;
    if (event.type === 'assume') holders.push(event.userid);
    if (event.type !== 'data') segments.push(event);
    for (const value of event.data ?? [])
      values.set(value.field_revisionid, withConfirmation(value, index, facts));
    last = event;
  }
  const isOver = running.status === 'complete' || running.status === 'cancelled';
  const asOf = isOver || now === undefined ? last.at : Math.max(now, last.at);
  addTime(running, asOf - last.at);
  return {
    ...timesOf(running),
    status: running.status,
    userid: must(holders.at(-1), 'a holder'),
    starttime: Math.floor(start.at / 1000),
    endtime: isOver ? Math.floor(last.at / 1000) : null,
    timingid: segments.length,
    cancelled: running.status === 'cancelled' ? 1 : 0,
    time_adjusted: facts.events.some((event) => event.adjusted === true),
    work_data: [...values.values()],
    handover: handoverOf(segments),
    gaps: running.status === 'complete' ? (last.gaps ?? []) : [],
    participants: [...new Set(holders)],
    wasSuspended: segments.some((event) => event.type === 'suspend'),
    lastMover: mover.userid,
    activeMs: running.ms.started,
    asOf,
  };
}

function withConfirmation(
  value: WorkDataValue,
  event: number,
  { confirmations = [] }: EntryFacts,
): FoldedValue {
  const confirmed = confirmations.find((one) => one.event === event && one.field_guid === value.field_guid);
  return confirmed === undefined ? value : { ...value, confirmed };
}

/** A period in which time ran on an entry, and who held it then; ms on the server's clock. */
export interface RunningPeriod {
  userid: number;
  from: number;
  to: number;
}

/** The periods in which time ran on an entry, oldest first. That of a running one lasts until `now`. */
export function runningPeriods({ events }: EntryFacts, now: number): RunningPeriod[] {
  const start = must(events[0], 'a start event');
  const periods: RunningPeriod[] = [];
  let status: EntryStatus = 'started';
  let running = { userid: start.userid, from: start.at };
  for (const { type, at, userid } of events.slice(1)) {
    const next: EntryStatus | undefined = type === 'start' ? undefined : transitions[type][status];
    if (next === undefined) continue;
    if (status === 'started') periods.push({ ...running, to: at });
    running = { userid: type === 'assume' ? userid : running.userid, from: at };
    status = next;
  }
  return status === 'started' ? [...periods, { ...running, to: Math.max(now, running.from) }] : periods;
}

function handoverOf(segments: readonly EntryEvent[]): FoldedEntry['handover'] {
  const last = segments.findLast(({ type }) => type === 'suspend');
  return last?.note === undefined ? null : { note: last.note, userid: last.userid, at: last.at };
}

type Times = Pick<
  FoldedEntry,
  'duration' | 'active_duration' | 'pause_duration' | 'active_stepid' | 'step_durations'
>;

/** The times in whole seconds, which add up: the remainder of rounding counts as active. */
function timesOf({ status, stepid, ms, stepMs }: Running): Times {
  const duration = Math.floor((ms.started + ms.paused + ms.suspended) / 1000);
  const pause = Math.floor(ms.paused / 1000);
  const suspended = Math.floor(ms.suspended / 1000);
  return {
    duration,
    active_duration: duration - pause - suspended,
    pause_duration: pause,
    active_stepid: status === 'started' ? stepid : null,
    step_durations: [...stepMs].map(([id, spent]) => ({ stepid: id, duration: Math.floor(spent / 1000) })),
  };
}
