import { lead } from './order-stage.ts';
import type { DoingKind, Step } from './plan.ts';
import type { Stage } from './stage.ts';

/** `picks` of `leave-station` (`doings/station.ts`). */
export const leave = {
  pause: [0, 0, 0, 0, 0, 0],
  handOver: [0, 1, 0, 0, 0, 0],
  keepRunning: [0, 2, 0, 0, 0, 0],
};

/** Ms after which a station has asked who signs in there. */
export const contact = 70_000;

/** Two people of the station, of whom one has an order there. */
export interface Shift {
  one: number;
  other: number;
  guide: number;
  /** Both are of the team and have badges, and the station knows it. */
  begin: Step[];
  /** The first one signs in and starts the order. */
  start: Step[];
  /** An action on the order. */
  act: (kind: DoingKind, picks: number[], ms?: number) => Extract<Step, { do: 'act' }>;
}

/** Two people of a station, drawn at random. */
export function shiftAt(stage: Stage): Shift {
  const { people, dice } = stage.cast;
  const one = 1 + dice.below(people - 1);
  const other = (one + 1 + dice.below(people - 1)) % people;
  const guide = stage.guide();
  const device = stage.station;
  const order = stage.act(device, 'start-order', 5000, { guide });
  const begin: Step[] = [
    stage.rights('line-lead', lead),
    ...[one, other].flatMap((person) => [
      stage.rights('line-add', person),
      stage.office('new-badge', person),
      stage.office('new-pin', person),
    ]),
    { do: 'run', device, ms: contact },
  ];
  const act: Shift['act'] = (kind, picks, ms = 1000) =>
    stage.act(device, kind, ms, { order: order.doing.id, picks });
  return { one, other, guide, begin, start: [stage.at('badge', one), order], act };
}
