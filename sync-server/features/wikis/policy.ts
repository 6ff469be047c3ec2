import { z } from 'zod';

import { forbidden, notFound } from '#shared/api/problem.ts';
import { newWiki, wikiEdit } from '#shared/api/wikis.ts';
import { type WikiFacts, wikiFieldsOf, wikiNamespace, type WikiNamespace } from '#shared/model/wiki.ts';
import { newestVersion, shownTitle } from '#shared/rules/wiki-record.ts';
import { can } from '#server/features/can.ts';
import { editors, moderators } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';

import { findPerson } from '../users/store.ts';
import { findByName, type WikiContent } from './store.ts';

/** The path and query parameters that name a wiki. */
export interface WikiName {
  params: { namespace: WikiNamespace; title: string };
  query: { langid?: string | undefined };
}

/** The wiki; throws the same 404 if it does not exist or may not be seen. */
export async function mustSeeWiki(ctx: Context, { params, query }: WikiName): Promise<WikiFacts> {
  const facts = await findByName(ctx, params.namespace, params.title, query.langid);
  if (facts === undefined || !can(ctx.viewer, 'wiki.see', facts)) throw notFound('Wiki');
  return facts;
}

const refusals = {
  'wiki.edit': { message: 'You may read this page but not edit it', needs: editors },
  'wiki.delete': { message: 'Only a moderator deletes this page', needs: moderators },
  'wiki.patrol': { message: 'Only a moderator patrols edits', needs: moderators },
  'wiki.tag': { message: 'Only authors tag this page', needs: editors },
} as const;

/** The wiki; throws 404 as above, 403 if it may be seen but `action` is not permitted. */
export async function mustBeAllowed(
  ctx: Context,
  action: keyof typeof refusals,
  name: WikiName,
): Promise<WikiFacts> {
  const facts = await mustSeeWiki(ctx, name);
  const { message, needs } = refusals[action];
  if (!can(ctx.viewer, action, facts)) throw forbidden(message, needs);
  return facts;
}

/** Fields of a new page that require more than the permission to edit. Fields of a wrong type are refused later. */
const created = z.object({
  namespace: wikiNamespace,
  title: newWiki.shape.title,
  repairability_score: newWiki.shape.repairability_score.catch(undefined),
  source_revisionid: newWiki.shape.source_revisionid.catch(undefined),
  source_revision_id: newWiki.shape.source_revision_id.catch(undefined),
});

/** Throws 403 if the caller may not create the page, or not with all fields of the body. */
export function mustCreateWiki(ctx: Context, asked: unknown): void {
  const { success, data } = created.safeParse(asked);
  if (!success) return;
  if (!can(ctx.viewer, 'wiki.create', data)) throw forbidden('You may not write this page', editors);
  // A translation starts with the score of its source, which is read after the body is validated.
  const isTranslation = (data.source_revisionid ?? data.source_revision_id ?? null) !== null;
  if (!isTranslation) mustScore(ctx, data, data.repairability_score, null);
}

const edited = z.object({
  title: wikiEdit.shape.title.catch(undefined),
  display_title: wikiEdit.shape.display_title.catch(undefined),
  repairability_score: wikiEdit.shape.repairability_score.catch(undefined),
});

/** Throws 404 and 403 as above, and 403 if the body requires more than the permission to edit. */
export async function mustEditWiki(ctx: Context, name: WikiName, asked: unknown): Promise<void> {
  const facts = await mustBeAllowed(ctx, 'wiki.edit', name);
  await mustSet(ctx, newestVersion(facts), edited.parse(asked));
}

/**
 * Throws 403 if an edit requires more than the permission to edit. Fields of other namespaces are 422 later (WIKI-2).
 */
export async function mustSet(
  ctx: Context,
  before: WikiContent,
  { title, display_title: shown, repairability_score: score }: z.output<typeof edited>,
): Promise<void> {
  const isNamedById = before.namespace === 'USER' || before.namespace === 'TEAM';
  if (
    title !== undefined &&
    title !== before.title &&
    !isNamedById &&
    !can(ctx.viewer, 'wiki.rename', before)
  )
    throw forbidden('Only a moderator gives this page another name', moderators);
  if (shown !== undefined && (shown || before.title) !== shownTitle(before))
    await mustSetDisplayTitle(ctx, before);
  mustScore(ctx, before, score, before.repairability_score ?? null);
}

function mustScore(
  ctx: Context,
  wiki: Pick<WikiFacts, 'namespace' | 'title'>,
  score: number | null | undefined,
  before: number | null,
): void {
  // Namespaces without a score are refused later, when the body is validated.
  if (!wikiFieldsOf(wiki.namespace).has('repairability_score')) return;
  if (score !== undefined && score !== before && !can(ctx.viewer, 'wiki.score', wiki))
    throw forbidden('Only an administrator gives a repairability score', ['Admin']);
}

/** Throws 403 unless the caller may set display titles. */
async function mustSetDisplayTitle(
  ctx: Context,
  { namespace, title }: Pick<WikiFacts, 'namespace' | 'title'>,
): Promise<void> {
  const reputation = (await findPerson(ctx.db, ctx.viewer.userid))?.reputation ?? 0;
  if (!can(ctx.viewer, 'wiki.setDisplayTitle', { namespace, title, reputation }))
    throw forbidden('Only authors can change the display title', editors);
}
