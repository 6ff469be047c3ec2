import { Problem } from '#shared/api/problem.ts';

/** Another home was opened while an action ran: the action stops (ACCOUNT-11). */
export class HomeChanged extends Problem {
  override name = 'HomeChanged';

  constructor() {
    super('conflict', 'The signed-in account changed. Start again.');
  }
}

/** A proxy of `whole` that calls `mustHold`, which may throw, before every use. */
export function heldBy<T extends object>(whole: T, mustHold: () => void): T {
  return new Proxy(whole, {
    get(target, name) {
      mustHold();
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => Reflect.apply(value, target, args);
    },
  });
}
