import type { GuideEdit } from '#shared/api/guides.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { applyBody } from '#shared/rules/guide-edit-body.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments } from '#server/storage/feed.ts';

import { bodyLookup, withItems } from './lookup.ts';

/** Fields that live servers accept and ignore, or that belong to features this site has switched off. */
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

/** What the guide says after the edit. Prerequisites that the caller may not see stay: nobody takes away what they do not see. */
export async function contentAfter(ctx: Context, before: GuideFacts, edit: GuideEdit): Promise<GuideContent> {
  const content = withItems(applyBody(before, edit, await bodyLookup(ctx, before, edit)));
  if (edit.prerequisites === undefined) return content;
  const hidden = (await findDocuments(ctx.db, 'guides', before.prerequisites))
    .filter((one) => !can(ctx.viewer, 'guide.see', one))
    .map((one) => one.guideid);
  return { ...content, prerequisites: [...new Set([...content.prerequisites, ...hidden])] };
}

/** New steps need an identity that no other step should ever have: the key their device gave, or one of ours. */
export function withKeys<T extends { key?: string | undefined }>(
  ctx: Context,
  steps: T[],
): { keyed: (T & { key: string })[]; given: Set<string> } {
  const given = new Set(steps.flatMap((step) => (step.key === undefined ? [] : [step.key])));
  const keyed = steps.map((step) => ({ ...step, key: step.key ?? newStepKey(ctx) }));
  return { keyed, given };
}

/** An identity for a new step, which may stand in a temporary id (`temporaryIdPattern`) when the step is put back. */
export function newStepKey(ctx: Context): string {
  return Buffer.from(ctx.services.randomBytes(9)).toString('hex');
}
