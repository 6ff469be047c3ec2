import { pick } from './order-stage.ts';
import type { DoingKind, Step } from './plan.ts';
import type { Stage } from './stage.ts';
import { contact, shiftAt, type Shift } from './station-stage.ts';

/** Scenes about what a station reads of work on other devices, by name. Each starts at a quiet point. */
export function readingScenes(stage: Stage): Record<string, () => Step[]> {
  return {
    formerIsNotRead: () => formerIsNotRead(stage),
    endedElsewhere: () => endedElsewhere(stage),
  };
}

/** A person who works on a device of their own leaves the team: the station no longer reads what they do. */
function formerIsNotRead(stage: Stage): Step[] {
  const { shift, act, atStation } = elsewhere(stage);
  return [
    ...shift.begin,
    ...act.start,
    act.onOrder('report', pick.aboutSomethingElse),
    atStation,
    stage.rights('line-remove', shift.one),
    act.onOrder('report', pick.aboutSomethingElse),
    atStation,
    { do: 'restart', device: stage.station },
    atStation,
  ];
}

/** A person ends an order on a device of their own: its deviations leave the station with it. */
function endedElsewhere(stage: Stage): Step[] {
  const { shift, act, atStation } = elsewhere(stage);
  return [
    ...shift.begin,
    ...act.start,
    act.onOrder('report', pick.aboutSomethingElse),
    atStation,
    act.onOrder('finish-order', pick.withReasons),
    atStation,
  ];
}

/** What a person of the station does on a device of their own. */
interface Elsewhere {
  shift: Shift;
  act: {
    /** Starts the order. */
    start: Step[];
    onOrder: (kind: DoingKind, picks: number[]) => Step;
  };
  /** The station asks what there is. */
  atStation: Step;
}

function elsewhere(stage: Stage): Elsewhere {
  const shift = shiftAt(stage);
  const device = stage.cast.devices.indexOf(shift.one);
  const start = stage.act(device, 'start-order', 5000, { guide: shift.guide });
  return {
    shift,
    act: {
      start: [start],
      onOrder: (kind, picks) => stage.act(device, kind, 5000, { order: start.doing.id, picks }),
    },
    atStation: { do: 'run', device: stage.station, ms: contact },
  };
}
