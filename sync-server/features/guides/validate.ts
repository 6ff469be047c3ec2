/**
 * Checks the content of a guide before it is stored.
 *
 * - INPUT-16 A value that is named twice in a set counts once.
 * - INPUT-17 A new step or line cannot take the identity of another one.
 */
import { invalid, Problem } from '#shared/api/problem.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import { validateChange, type Flaw } from '#shared/rules/guide-limits.ts';
import { automaticFlags } from './access.ts';
import { mostErrors } from '#server/http/admit.ts';
import type { Context } from '#server/core/context.ts';

import { refusedFlag } from './flags.ts';
import { mustShowGuide } from './showable.ts';

/**
 * Throws 422 unless the content may be stored. Flaws that `base` has already are accepted; `base` is null for a new
 * guide.
 *
 * - GUIDE-LIMIT-1 A summary has at most 155 characters, an introduction at most 49 lines.
 * - GUIDE-LIMIT-2 The first line has level 0, and levels increase by at most one. Lines are neither empty nor too long;
 *   the error names the line.
 * - GUIDE-LIMIT-3 Categories, types, difficulties, flags, pictures and documents must exist.
 * - GUIDE-LIMIT-14 A guide has at most 1,000 steps; one that has more already cannot grow. A refusal names the first
 *   hundred flaws.
 */
export async function validate(
  ctx: Context,
  base: GuideContent | null,
  content: GuideContent,
): Promise<void> {
  const flaws = validateChange(base, content);
  if (flaws.length > 0)
    throw new Problem('invalid', flaws[0]?.message ?? 'Validation failed', {
      errors: flaws.slice(0, mostErrors).map((flaw) => fieldError(flaw, content)),
    });
  requireOwnIdentities(content);
  await mustShowGuide(ctx, base, content);
  requireFirstFeatured(base, content);
  const { site } = ctx.services;
  if (base?.type !== content.type && !site.guide_types.includes(content.type)) {
    throw invalid('type', `This site's guide types are ${site.guide_types.join(', ')}`);
  }
  if (base?.category !== content.category) await requireCategory(ctx, content.category);
  requireSettableFlags(ctx, base?.flags ?? automaticFlags(ctx.viewer.privileges), content.flags);
  if (
    content.featured_documentid !== null &&
    !content.documents.some((one) => one.documentid === content.featured_documentid)
  ) {
    throw invalid('featured_documentid', "The featured document must be among the guide's documents");
  }
  if (content.time_required_max > 0 && content.time_required_min > content.time_required_max) {
    throw invalid('time_required_min', 'The shortest time is longer than the longest');
  }
}

/**
 * Checks the featured part and tool (spec, "POST /guides body").
 *
 * - GUIDE-LIMIT-12 Only the first part and the first tool can be featured. One that was featured before stays featured
 *   at any position.
 */
function requireFirstFeatured(base: GuideContent | null, content: GuideContent): void {
  for (const list of ['parts', 'tools'] as const) {
    const before = new Set(
      (base?.[list] ?? []).filter((one) => one.featured === true).map(({ text }) => text),
    );
    const index = content[list].findIndex(
      (one, place) => place > 0 && one.featured === true && !before.has(one.text),
    );
    if (index > 0) throw invalid(list, 'Only the first listed may be featured', index);
  }
}

/** Refuses duplicate keys of steps and ids of lines, because records with the same key would be merged. */
function requireOwnIdentities(content: GuideContent): void {
  const identities = [
    content.steps.map((step) => step.key),
    ...content.steps.map((step) => step.lines.map((line) => line.id)),
  ];
  if (identities.some((ids) => new Set(ids).size < ids.length))
    throw invalid('steps', 'Two steps, or two lines of a step, have the same key or id');
}

function fieldError(
  { place, message }: Flaw,
  content: GuideContent,
): { field: string; message: string; index?: number } {
  const field =
    place.field === 'introduction_raw'
      ? 'introduction'
      : place.line === undefined
        ? (place.field ?? 'steps')
        : 'lines';
  const step = content.steps.find((one) => one.key === place.step);
  const index =
    place.line === undefined ? -1 : (step?.lines.findIndex((line) => line.id === place.line) ?? -1);
  return index < 0 ? { field, message } : { field, message, index };
}

async function requireCategory(ctx: Context, category: string): Promise<void> {
  const known = await ctx.db
    .selectFrom('wikis')
    .select('wikiid')
    .where('namespace', '=', 'CATEGORY')
    .where('title', '=', category)
    .where('deleted', '=', 0)
    .executeTakeFirst();
  if (known === undefined)
    throw invalid('category', `There is no category "${category}"; names are case sensitive`);
}

function requireSettableFlags(ctx: Context, before: string[], after: string[]): void {
  const refused = refusedFlag(ctx.viewer, before, after, 'guide');
  if (refused !== undefined) throw invalid('flags', `You may not set or unset the flag ${refused}`);
}
