import type { GuideEdit } from '#shared/api/guides.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { applyBody } from '#shared/rules/guide-edit-body.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { findAllStored } from '#server/storage/feed.ts';

import { bodyLookup, withItems } from './lookup.ts';

/**
 * The fields of an edit that can be applied, with duplicate ids removed. Fields that are accepted but ignored are left
 * out.
 */
export function knownIds(
  fields: Omit<
    GuideEdit,
    'public' | 'author' | 'langid' | 'steps' | 'removed_steps' | 'prerequisite_releases' | 'objectid'
  >,
): GuideEdit {
  const { time_required: _ignored, documents, ...rest } = fields;
  const documentids = documents?.map((one) => (typeof one === 'number' ? one : one.documentid));
  return {
    ...rest,
    ...(rest.flags === undefined ? {} : { flags: [...new Set(rest.flags)] }),
    ...(rest.prerequisites === undefined ? {} : { prerequisites: [...new Set(rest.prerequisites)] }),
    ...(documentids === undefined ? {} : { documents: [...new Set(documentids)] }),
  };
}

/**
 * The content of the guide after the edit. Prerequisites that the caller may not see stay, since they cannot edit them.
 */
export async function contentAfter(ctx: Context, before: GuideFacts, edit: GuideEdit): Promise<GuideContent> {
  const content = withItems(applyBody(before, edit, await bodyLookup(ctx, before, edit)));
  if (edit.prerequisites === undefined) return content;
  const hidden = (await findAllStored(ctx, 'guides', before.prerequisites))
    .filter((one) => !can(ctx.viewer, 'guide.see', one))
    .map((one) => one.guideid);
  return { ...content, prerequisites: [...new Set([...content.prerequisites, ...hidden])] };
}

/** Gives each new step a unique key: the key from its device, or a random one. `deviceKeys`: the keys from devices. */
export function withKeys<T extends { key?: string | undefined }>(
  ctx: Context,
  steps: T[],
): { keyed: (T & { key: string })[]; deviceKeys: Set<string> } {
  const deviceKeys = new Set(steps.flatMap((step) => (step.key === undefined ? [] : [step.key])));
  const keyed = steps.map((step) => ({ ...step, key: step.key ?? newStepKey(ctx) }));
  return { keyed, deviceKeys };
}

/**
 * A random key for a new step; valid in a temporary id (`temporaryIdPattern`), where it is used if the step is
 * restored.
 */
export function newStepKey(ctx: Context): string {
  return Buffer.from(ctx.services.randomBytes(9)).toString('hex');
}

const patterns: ReadonlyMap<string, (category: string, subject: string) => string> = new Map([
  ['installation', (category, subject) => `Installing ${category} ${subject}`],
  ['repair', (category, subject) => `Repairing ${category} ${subject}`],
  ['disassembly', (category, subject) => `Disassembling ${category} ${subject}`],
  ['teardown', (category) => `${category} Teardown`],
  ['replacement', (category, subject) => `${category} ${subject} Replacement`],
  ['maintenance', (category, subject) => `${category} ${subject} Maintenance`],
  ['technique', (category, subject) => `${subject === '' ? category : subject} Technique`],
  ['how-to', (category, subject) => `How to ${subject === '' ? category : subject}`],
]);

/**
 * The title of a guide without one (spec, "POST /guides body"; API facts 5).
 *
 * - GUIDE-LIMIT-6 A missing or empty title is generated from type, category and subject.
 */
export function generatedTitle(guide: { type: string; category: string; subject: string }): string {
  const title =
    patterns.get(guide.type)?.(guide.category, guide.subject) ?? `${guide.category} ${guide.subject}`;
  return title.trim().replaceAll(/\s+/g, ' ');
}
