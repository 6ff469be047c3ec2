const errorEvents = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * Notes who listens to errors of this process. Returns a function that removes who listens since, because the program
 * listens to errors of its process, which is that of the tests.
 */
export function keepListeners(): () => void {
  const listeners = new Map(errorEvents.map((event) => [event, process.listeners(event as never)]));
  return () => {
    for (const event of errorEvents)
      for (const listener of process.listeners(event as never) as (() => void)[])
        if (listeners.get(event)?.includes(listener as never) !== true)
          process.removeListener(event, listener);
    for (const output of [process.stdout, process.stderr]) output.removeAllListeners('error');
  };
}
