import { forbidden, notFound } from '#shared/api/problem.ts';
import type { WikiFacts, WikiNamespace } from '#shared/model/wiki.ts';
import { can } from '#server/access/can.ts';
import { editors, moderators } from '#server/access/roles.ts';
import type { Context } from '#server/http/context.ts';

import { findPerson } from '../users/store.ts';
import { findByName } from './store.ts';

/** What names a wiki in a path and query. */
export interface WikiName {
  params: { namespace: WikiNamespace; title: string };
  query: { langid?: string | undefined };
}

/** The wiki; 404 when it is missing or may not be seen, alike. */
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

/** The wiki; 404 as above, 403 when it may be seen but `action` may not be done to it. */
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

/** 403 unless the caller may give wikis another title to show. */
export async function mustSetDisplayTitle(
  ctx: Context,
  { namespace, title }: Pick<WikiFacts, 'namespace' | 'title'>,
): Promise<void> {
  const reputation = (await findPerson(ctx.db, ctx.viewer.userid))?.reputation ?? 0;
  if (!can(ctx.viewer, 'wiki.setDisplayTitle', { namespace, title, reputation }))
    throw forbidden('Only authors choose the title that is shown', editors);
}
