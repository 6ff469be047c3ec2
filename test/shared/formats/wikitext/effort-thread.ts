import { must } from '#shared/must.ts';
import { renderBlocks, renderLine } from '#shared/formats/wikitext/html.ts';
import { fromRichText, toRichText } from '#shared/formats/wikitext/rich-text.ts';
import { serveCalls } from '#test/simulation/worker-calls.ts';

import { adversarialTexts } from './adversarial.ts';

const actions = {
  blocks: (raw: string): unknown => renderBlocks(raw),
  line: (raw: string): unknown => renderLine(raw),
  'rich text': (raw: string): unknown => fromRichText(toRichText(raw)),
};

const thread = {
  /**
   * The ratio of the time for the adversarial text of this name to the time for one of `size / 16`: 16 for linear
   * effort, 256 for quadratic. The best of a few rounds.
   */
  async growth(action: keyof typeof actions, name: string, size: number): Promise<number> {
    const make = must(adversarialTexts[name], name);
    const short = quickest(() => actions[action](make(size / 16)), 3);
    return quickest(() => actions[action](make(size)), 5, enough * short) / (short + leastMs);
  },
};

/** Texts with a lower ratio are not measured again. */
const enough = 40;
/** Shorter times are not significant. */
const leastMs = 2;

/**
 * Milliseconds of processor time of this thread, independent of other processes. The fastest of several rounds, so
 * that garbage collection and compilation do not count. A time below `wanted` is not repeated.
 */
function quickest(action: () => unknown, rounds: number, wanted = 0): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && best >= wanted; round += 1) {
    const start = process.threadCpuUsage();
    action();
    const { user, system } = process.threadCpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

export type EffortThread = typeof thread;

serveCalls(thread);
