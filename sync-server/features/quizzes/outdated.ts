import { busy } from '#server/platform/fair-queue.ts';

/** What was checked or scored before the transaction is no longer what is to be stored. */
export class Outdated extends Error {
  override name = 'Outdated';
}

/** How often a call is tried if others keep changing the quiz. */
const mostTries = 3;

/**
 * Repeats `work`, which scores and then writes, if another change came first: no transaction waits for survey-core.
 * @throws Problem 503 `server-busy` if this keeps happening; nothing was stored
 */
export async function againWhenOutdated<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
    }
  }
  throw busy(5);
}
