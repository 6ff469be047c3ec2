import { readdirSync, readFileSync } from 'node:fs';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { guideFromAnswer } from '#server/features/guides/import/guide-from-answer.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { contentOf, guidesToWrite } from '#test/shared/formats/omanual/archives.ts';
import { anyGuide } from '#test/shared/formats/omanual/arbitrary-guides.ts';

import { kept, pageAndBack } from './page-world.ts';

const folder = new URL('../../../fixtures/ose/guides/', import.meta.url);
const recorded = readdirSync(folder).map((name) => {
  const answer: unknown = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  return guideFromAnswer(answer as Parameters<typeof guideFromAnswer>[0]).facts;
});

/** The guide alone, and without videos and embedded pages, whose addresses become lines. */
function comparable(guide: GuideFacts): GuideFacts {
  const steps = guide.steps.map((step) => ({
    ...step,
    media: step.media.type === 'image' ? step.media : { type: 'image' as const, data: [] },
  }));
  return { ...guide, guideid: 1, prerequisites: [], intro_video: null, documents: [], steps };
}

describe.each(['markdown', 'html'] as const)('guides as a page in %s', (format) => {
  it('PAGE-1 each recorded guide is the same when its page is read again', async () => {
    expect(recorded.length).toBeGreaterThan(50);
    for (const facts of recorded) {
      const { facts: again, written } = await pageAndBack(contentOf(guidesToWrite([facts])), format);
      expect(again.map((one) => kept(one, written))).toEqual([kept(facts, written)]);
    }
  });

  it('PAGE-1 any guide is the same when its page is read again, but for what was reported', async () => {
    await fc.assert(
      fc.asyncProperty(anyGuide.map(comparable), async (facts) => {
        const { facts: again, written } = await pageAndBack(contentOf(guidesToWrite([facts])), format);
        expect(again).toHaveLength(1);
        expect(kept(must(again[0], 'the guide'), written)).toEqual(kept(facts, written));
      }),
      { numRuns: 100 },
    );
  });
});
