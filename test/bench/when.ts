import type { Live } from '#desktop/engine/engine.ts';

/** The first value of `live` that satisfies the condition. */
export function when<T>(live: Live<T>, isSo: (value: T) => boolean): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = live.subscribe((value) => {
      if (!isSo(value)) return;
      resolve(value);
      queueMicrotask(() => stop());
    }, reject);
  });
}
