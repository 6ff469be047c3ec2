import { conflict, invalid } from '#shared/api/problem.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { newestVersion } from '#shared/rules/wiki-record.ts';
import type { Context } from '#server/core/context.ts';

import { commentRemoved, wikiRemoved } from '../merits/reputation-events.ts';
import { newestWiki } from './record.ts';
import { childTitles } from './relatives.ts';
import { versionsOf } from './store.ts';

/**
 * Deletes a wiki with its translations, or a single translation. Rows and history stay. Throws 422 for a category with
 * categories below it, 409 with the newest version if `revisionid` is not its revision.
 */
export async function removeWiki(ctx: Context, facts: WikiFacts, revisionid: number): Promise<void> {
  const isSource = facts.source_revisionid === null;
  if (facts.namespace === 'CATEGORY' && isSource && (await childTitles(ctx.db, facts.title)).length > 0)
    throw invalid('title', 'There are categories below this one; move or delete them first');
  if (revisionid !== newestVersion(facts).revisionid) throw conflict(await newestWiki(ctx, facts));
  const { namespace, title, wikiid } = facts;
  // For the audit log: the path has only the title, which other pages may have had before (AUDIT-12).
  ctx.note.object = { kind: 'wiki', id: String(wikiid) };
  ctx.note.facts = { namespace, title };
  const removed = isSource ? await versionsOf(ctx.db, facts.namespace, facts.title) : [facts];
  await removeWikis(ctx, removed);
}

/** Deletes wikis; their rows and history stay. */
export async function removeWikis(ctx: Context, wikis: readonly Pick<WikiFacts, 'wikiid'>[]): Promise<void> {
  for (const { wikiid } of wikis) await removeOne(ctx, wikiid);
}

async function removeOne(ctx: Context, wikiid: number): Promise<void> {
  await ctx.db.updateTable('wikis').set({ deleted: 1 }).where('wikiid', '=', wikiid).execute();
  await ctx.db.deleteFrom('wiki_tags').where('wikiid', '=', wikiid).execute();
  ctx.changes.remove('wikis', wikiid);
  ctx.changes.remove('viewer', `wikiTags:${wikiid}`);
  const comments = await ctx.db
    .updateTable('comments')
    .set({ status: 'deleted', modified_date: ctx.seconds })
    .where('context', 'in', ['wiki', 'info'])
    .where('contextid', '=', wikiid)
    .where('status', '!=', 'deleted')
    .returning(['commentid', 'context', 'contextid', 'guideid', 'userid'])
    .execute();
  for (const comment of comments) {
    ctx.changes.remove('comments', comment.commentid);
    await commentRemoved(ctx, comment);
  }
  await wikiRemoved(ctx, wikiid);
}
