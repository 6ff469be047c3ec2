import type { Failure } from './monkey.ts';
import type { Action } from './plan.ts';

/**
 * A shorter plan that breaks the same law: removes halves, quarters and so on (A. Zeller, R. Hildebrandt,
 * "Simplifying and isolating failure-inducing input", 2002), in at most `tries` runs.
 */
export async function shorten(
  plan: readonly Action[],
  rule: Failure['breach']['rule'],
  play: (plan: readonly Action[]) => Promise<Failure | null>,
  tries: number,
): Promise<readonly Action[]> {
  let shortest = plan;
  let left = tries;
  for (let part = Math.ceil(shortest.length / 2); part >= 1 && left > 0; part = Math.floor(part / 2)) {
    for (let from = 0; from < shortest.length && left > 0; left -= 1) {
      const shorter = shortest.toSpliced(from, part);
      const failure = await play(shorter);
      if (failure?.breach.rule === rule) shortest = shorter.slice(0, failure.done);
      else from += part;
    }
  }
  return shortest;
}
