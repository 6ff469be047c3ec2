import type { DoingKind, Step } from './plan.ts';
import type { Stage } from './stage.ts';

/** `picks` of actions on work orders (`doings/deviations.ts`, `doings/orders.ts`, `doings/follow-ups.ts`). */
export const pick = {
  badTorque: [0, 0, 0, 1, 1, 0],
  goodTorque: [0, 0, 0, 1, 0, 0],
  aboutValue: [0, 0, 0, 1, 1, 0],
  aboutValueWithPhoto: [0, 0, 0, 1, 0, 0],
  aboutSomethingElse: [0, 0, 1, 1, 1, 0],
  withReasons: [0, 1, 1, 1, 1, 0],
  any: [0, 0, 0, 0, 0, 0],
};

/** The number of the person who leads at first, and of their device. */
export const lead = 0;

/** A worker with a device and an order, whose actions a scene makes. */
export interface Work {
  device: number;
  person: number;
  guide: number;
  /** The worker's team is the lead's, and the order runs. */
  begin: Step[];
  /** An action on the order. */
  act: (device: number, kind: DoingKind, picks: number[], ms?: number) => Step;
}

/** A worker who is not the lead starts an order of a guide that everyone sees. */
export function workOn(stage: Stage): Work {
  const device = otherThan(stage, lead);
  const person = stage.person(device);
  const guide = stage.guide();
  const start = stage.act(device, 'start-order', 5000, { guide });
  const begin: Step[] = [
    stage.rights('line-lead', lead),
    stage.rights('line-add', person),
    stage.rights('role-author', person),
    stage.rights('role-author', lead),
    { do: 'run', device, ms: 5000 },
    start,
  ];
  const act: Work['act'] = (by, kind, picks, ms = 1000) =>
    stage.act(by, kind, ms, { order: start.doing.id, picks });
  return { device, person, guide, begin, act };
}

/** A device of another person than the one at this device. */
export function otherThan(stage: Stage, device: number): number {
  for (;;) {
    const other = stage.device();
    if (stage.person(other) !== stage.person(device)) return other;
  }
}

/** A device hears what happened. */
export function news(device: number): Step {
  return { do: 'run', device, ms: 10_000 };
}
