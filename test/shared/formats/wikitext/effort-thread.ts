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
   * How many times as long the adversarial text of this name takes when it is sixteen times as long as `size / 16`: 16 for
   * linear effort, 256 for quadratic. At best, of a few rounds.
   */
  async growth(action: keyof typeof actions, name: string, size: number): Promise<number> {
    const make = must(adversarialTexts[name], name);
    const short = quickest(() => actions[action](make(size / 16)), 3);
    return quickest(() => actions[action](make(size)), 5, enough * short) / (short + leastMs);
  },
};

/** Grown by less than this a text is not looked at again. */
const enough = 40;
/** Shorter times tell nothing. */
const leastMs = 2;

/**
 * Milliseconds of processor time of this thread, so that other processes do not count; of more rounds the quickest, so
 * that neither the collector nor the compiler counts. One below `wanted` is not repeated.
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
