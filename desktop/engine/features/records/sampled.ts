import { Observable } from 'rxjs';

import type { Environment } from '#desktop/engine/platform/ports.ts';

/** Emits the first value at once, and then at most one per `ms`, the latest. */
export function sampled<T>(
  environment: Pick<Environment, 'setTimer'>,
  ms: number,
): (source: Observable<T>) => Observable<T> {
  return (source) =>
    new Observable<T>((subscriber) => {
      let pending: { value: T } | null = null;
      let cancel: (() => void) | null = null;
      const rest = (): void => {
        cancel = environment.setTimer(() => {
          cancel = null;
          if (pending === null) return;
          const { value } = pending;
          pending = null;
          rest();
          subscriber.next(value);
        }, ms);
      };
      const subscription = source.subscribe({
        next(value) {
          if (cancel !== null) {
            pending = { value };
            return;
          }
          rest();
          subscriber.next(value);
        },
        error: (error: unknown) => subscriber.error(error),
        complete() {
          if (pending !== null) subscriber.next(pending.value);
          subscriber.complete();
        },
      });
      return () => {
        cancel?.();
        subscription.unsubscribe();
      };
    });
}
