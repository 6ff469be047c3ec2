import { busy } from '#server/platform/fair-queue.ts';

/** The quiz changed between its check or scoring and the transaction. */
export class Outdated extends Error {
  override name = 'Outdated';
}

/** Number of attempts if others keep changing the quiz. */
const mostTries = 3;

/**
 * Runs `work`, which scores and then writes, and repeats it if the quiz changed in between. So no transaction waits for
 * survey-core.
 * @throws Problem 503 `server-busy` after several attempts; nothing was stored
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
