import type { Live } from '#desktop/engine/engine.ts';

/** Runs a long chain of promises and short timers, however slow the machine is. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 3));
}

/** The current value of a live value, or the first one if there is none yet. */
export async function now<T>(live: Live<T>): Promise<T> {
  await settled();
  return new Promise((resolve, reject) => {
    let value: T;
    let stop = (): void => undefined;
    const first = new Promise<void>((found, fail) => {
      stop = live.subscribe((next) => {
        value = next;
        found();
      }, fail);
    });
    Promise.all([first, settled()])
      .then(() => resolve(value), reject)
      .finally(() => stop());
  });
}

/** Collects the values of a live value while the test runs. */
export function follow<T>(live: Live<T>): { values: T[]; stop: () => void } {
  const values: T[] = [];
  const stop = live.subscribe(
    (value) => values.push(value),
    (error) => {
      throw error;
    },
  );
  return { values, stop };
}
