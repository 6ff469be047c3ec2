/** Time that passes on request, and work of tabs that runs one after the other. */
export interface HeldTime {
  setTimer: (run: () => void) => () => void;
  lock: <T>(name: string, run: () => Promise<T>) => Promise<T>;
  /** Runs waiting timers, and those that they start, until none is left. */
  passTime: () => Promise<void>;
}

export function heldTime(): HeldTime {
  const timers: (() => void)[] = [];
  let work: Promise<unknown> = Promise.resolve();
  return {
    setTimer: (run) => {
      timers.push(run);
      return () => undefined;
    },
    lock: (_, run) => {
      const result = work.then(run);
      work = result.catch(() => undefined);
      return result;
    },
    passTime: async () => {
      for (let run = timers.shift(); run !== undefined; run = timers.shift()) {
        run();
        await work;
        await work;
      }
    },
  };
}
