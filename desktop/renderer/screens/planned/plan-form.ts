import type {
  Assignee,
  GuideReleaseView,
  OrderPlan,
  PlannedOrderView,
} from '#desktop/engine/api/planned-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import type { TypedPlan } from './typed-plan.ts';
import type { Priority } from '#shared/model/planned-orders.ts';

import { readSerials } from '../work-orders/read-serials.ts';

/** What is in the form. `who`: `person:7` or `team:3`. `day`: `2026-11-22`, `time`: `14:30`, of the device. */
export interface PlanForm {
  workorderid: string;
  guideid: string | null;
  guideWords: string;
  /** The release to work by; null: the guide as it is at the start. */
  releaseid: number | null;
  who: string | null;
  day: string;
  time: string;
  priority: Priority;
  serials: string;
  note: string;
  repeat: Repeat;
}

/** How an order repeats, as the form offers it. */
export const repeats = {
  never: null,
  daily: 'FREQ=DAILY',
  weekdays: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
  weekly: 'FREQ=WEEKLY',
  monthly: 'FREQ=MONTHLY',
  yearly: 'FREQ=YEARLY',
} as const;
export type Repeat = keyof typeof repeats;
export const repeatNames = Object.keys(repeats) as Repeat[];

/** The words for a recurrence rule. */
export function repeatWords(rrule: string): string {
  const known = repeatNames.find((name) => repeats[name] === rrule);
  return known === undefined ? text.planned.repeatsOther(rrule) : text.planned.repeats[known];
}

export const blankForm: PlanForm = {
  workorderid: '',
  guideid: null,
  guideWords: '',
  releaseid: null,
  who: null,
  day: '',
  time: '',
  priority: 'normal',
  serials: '',
  note: '',
  repeat: 'never',
};

/** The form with a planned order. */
export function formOf({ due, assignee, serials, ...seen }: PlannedOrderView): PlanForm {
  const moment = due === null ? { day: '', time: '' } : localMoment(new Date(due));
  return {
    workorderid: seen.workorderid,
    guideid: seen.guideid,
    guideWords: seen.guideTitle,
    releaseid: seen.release?.releaseid ?? null,
    who: `${assignee.kind}:${assignee.id}`,
    ...moment,
    priority: seen.priority,
    serials: serials.join('\n'),
    note: seen.note,
    repeat: 'never',
  };
}

/** A day and a time of the device. */
export function localMoment(at: Date): Pick<PlanForm, 'day' | 'time'> {
  const two = (number: number): string => String(number).padStart(2, '0');
  return {
    day: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    time: `${two(at.getHours())}:${two(at.getMinutes())}`,
  };
}

/**
 * A due time in the time zone of the device, ms since 1970; null: none is given; undefined: not a time. `day`:
 * `2026-11-22`; `time`: `14:30`, or '' for the end of the day.
 */
export function readDue(day: string, time: string): number | null | undefined {
  if (day === '' && time === '') return null;
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day.trim());
  const clock = /^(\d{1,2})[:.](\d\d)$/.exec(time.trim() === '' ? '23:59' : time.trim());
  if (date === null || clock === null) return undefined;
  const [year, month, dayOfMonth] = date.slice(1).map(Number);
  const [hours, minutes] = clock.slice(1).map(Number);
  const at = new Date(year ?? 0, (month ?? 0) - 1, dayOfMonth, hours, minutes);
  const isSame = at.getMonth() + 1 === month && at.getDate() === dayOfMonth && at.getHours() <= 23;
  return isSame && (hours ?? 24) < 24 && (minutes ?? 60) < 60 ? at.getTime() : undefined;
}

/** Maximum length of the number of a work order. */
const longestNumber = 255;

/** The number that is offered for a follow-up order: that of the order with `-R1`, or the first that is not taken. */
export function followUpNumber(workorderid: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const end = `-R${count}`;
    const number = workorderid.slice(0, longestNumber - end.length) + end;
    if (!taken.has(number)) return number;
  }
}

/** What is missing or wrong, by field, and the due time. */
export function faultsOf(form: PlanForm): {
  faults: Partial<Record<keyof PlanForm, string>>;
  due: number | null;
} {
  const due = readDue(form.day, form.time);
  return {
    faults: {
      ...(form.workorderid.trim() === '' ? { workorderid: text.planned.needNumber } : {}),
      ...(form.guideid === null ? { guideid: text.planned.needGuide } : {}),
      ...(form.who === null ? { who: text.planned.needWho } : {}),
      ...(due === null && form.repeat !== 'never' ? { day: text.planned.repeatNeedsDay } : {}),
      ...(due === undefined
        ? form.day === ''
          ? { day: text.planned.needDay }
          : { time: text.planned.wrongTime }
        : {}),
    },
    due: due ?? null,
  };
}

/** What a plan is made of besides its form. `seen`: the planned order that it changes. */
interface PlanSources {
  due: number | null;
  releases: readonly GuideReleaseView[];
  seen: PlannedOrderView | undefined;
}

/** The plan in the form; null while something is missing. */
export function planOf(form: PlanForm, { due, releases, seen }: PlanSources): OrderPlan | null {
  const assignee = assigneeOf(form.who);
  if (form.guideid === null || assignee === null) return null;
  const { guideid, releaseid, workorderid, priority, note } = form;
  const named = [...releases, seen?.release ?? null].find((one) => one?.releaseid === releaseid) ?? null;
  const release = named === null ? null : { releaseid: named.releaseid, title: named.title };
  const rrule = seen === undefined ? repeats[form.repeat] : seen.rrule;
  const serials = readSerials(form.serials);
  return { guideid, release, workorderid, assignee, due, priority, serials, note, rrule };
}

/**
 * What the planner typed: the fields that differ from those at the beginning, so that nothing of the record or of the guide
 * is stored with it. The words in the field of the guide are stored while they name none.
 */
export function typedIn(form: PlanForm, base: PlanForm): TypedPlan {
  const { guideWords, ...fields } = form;
  const changed = Object.entries(fields).filter(([name, value]) => value !== base[name as keyof PlanForm]);
  const words = form.guideid === null && guideWords !== '' ? { guideWords } : {};
  return { ...Object.fromEntries(changed), ...words };
}

function assigneeOf(who: string | null): Assignee | null {
  const [kind, id] = who?.split(':') ?? [];
  return kind === 'person' || kind === 'team' ? { kind, id: Number(id) } : null;
}
