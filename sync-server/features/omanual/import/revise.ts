import type { GuideFacts, MediaFacts, StepFacts } from '#shared/model/guide.ts';
import {
  contentOf,
  stepContentOf,
  stepKeyOf,
  type GuideContent,
  type StepContent,
} from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import type { Context } from '#server/core/context.ts';
import { newStepKey } from '#server/features/guides/edit-body.ts';
import { saveGuide } from '#server/features/guides/store.ts';

/**
 * Stores a guide of an archive as the next version of an existing guide. Steps keep their identity (`same-steps.ts`;
 * `same`: the existing step for each step of the archive), and lines by their text, so that comments and forms stay
 * attached. Privacy, author and category of the guide stay.
 */
export async function reviseGuide(
  ctx: Context,
  before: GuideFacts,
  placed: GuideFacts,
  same: readonly (StepFacts | undefined)[],
): Promise<GuideFacts> {
  const content: GuideContent = {
    ...contentOf(placed),
    category: before.category,
    steps: placed.steps.map((step, index) => keptStep(ctx, stepContentOf(step), same[index])),
  };
  const { public: isPublic, userid, langid, prerequisite_releases: pins } = before;
  const settings = {
    public: isPublic,
    userid,
    langid,
    intro_video: placed.intro_video,
    ...(pins === undefined
      ? {}
      : { prerequisite_releases: pins.filter((pin) => content.prerequisites.includes(pin.guideid)) }),
  };
  return saveGuide(ctx, before, content, settings, { bumpGuide: true, deviceKeys: new Set() });
}

function keptStep(ctx: Context, step: StepContent, old: StepFacts | undefined): StepContent {
  const free = new Map((old?.lines ?? []).map((line) => [line.text_raw, line.id]));
  const lines = step.lines.map((line) => {
    const id = free.get(line.text_raw) ?? newStepKey(ctx);
    free.delete(line.text_raw);
    return { ...line, id };
  });
  const key = old === undefined ? newStepKey(ctx) : stepKeyOf(old);
  return { ...step, key, lines, media: old === undefined ? step.media : keptMedia(step.media, old.media) };
}

/** The medium, under its number here if it is the same embedded page. */
function keptMedia(media: StepContent['media'], old: MediaFacts): StepContent['media'] {
  if (media.type !== 'embed' || old.type !== 'embed') return media;
  const numbered: MediaFacts = { type: 'embed', data: { ...media.data, objectid: old.data.objectid } };
  return sameValue(numbered, old) ? old : media;
}
