import pLimit from 'p-limit';

/** Runs tasks one after the other, in the order of the calls. A task that fails does not stop those behind it. */
export type SerialQueue = <T>(task: () => T | PromiseLike<T>) => Promise<T>;

/** A queue of its own: tasks of different queues do not wait for each other. */
export function serialQueue(): SerialQueue {
  return pLimit(1);
}
