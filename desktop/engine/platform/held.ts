import { Problem } from '#shared/api/problem.ts';

/** An action outlived its person's stay at this device; it goes no further. */
export class HomeChanged extends Problem {
  override name = 'HomeChanged';

  constructor() {
    super('conflict', 'The signed-in account changed. Start again.');
  }
}

/** `whole`, of which every use first asks whether it may go on. */
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
