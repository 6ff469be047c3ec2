import { invalid, Problem } from '#shared/api/problem.ts';
import { categories, wikis } from '#shared/api/wikis.ts';
import type { Wiki } from '#shared/model/wiki-record.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { newestVersion, shownVersion } from '#shared/rules/wiki-record.ts';
import type { Context } from '#server/http/context.ts';
import { handle } from '#server/http/handle.ts';

import { addWikiTag, removeWikiTag, tagsOfWiki } from '../tags/store.ts';
import { createWiki, editWiki, patrolWiki, revertWiki } from './edit.ts';
import { listCategories, listCategoryTitles, listWikis } from './list.ts';
import { mustBeAllowed, mustSeeWiki, type WikiName } from './policy.ts';
import { fullTopic, fullWiki, newestWiki } from './record.ts';
import { removeWiki } from './remove.ts';
import { listRevisions, readVersion } from './revisions.ts';

function refuseXml(type: 'JSON' | 'XML'): void {
  if (type === 'XML') throw new Problem('not-implemented', 'XML answers are not there yet; ask for JSON');
}

/** The gate of an action on the wiki that path and query name. */
function gate(action: Parameters<typeof mustBeAllowed>[1]) {
  return async (name: WikiName, ctx: Context): Promise<void> => {
    await mustBeAllowed(ctx, action, name);
  };
}

const maySee = async (name: WikiName, ctx: Context): Promise<void> => void (await mustSeeWiki(ctx, name));

/** The answer of an edit: the newest version. */
async function edited(ctx: Context, facts: WikiFacts): Promise<Wiki> {
  ctx.answersWith('wiki', facts.wikiid);
  return newestWiki(ctx, facts);
}

export const wikiHandlers = handle(wikis, {
  list: ({ params, query }, ctx) => listWikis(ctx, params.namespace, query),
  read: {
    allow: maySee,
    run: async ({ params, query }, ctx) => {
      const facts = await mustSeeWiki(ctx, { params, query });
      if (query.type === 'XML' && params.namespace !== 'CATEGORY')
        throw invalid('type', 'Only categories are there as XML');
      refuseXml(query.type);
      if (query.revisionid !== undefined)
        return fullWiki(ctx, facts, await readVersion(ctx, facts, query.revisionid));
      return fullWiki(ctx, facts, query.unpatrolled ? newestVersion(facts) : shownVersion(facts));
    },
  },
  create: async ({ query, body }, ctx) => edited(ctx, await createWiki(ctx, body, query.langid)),
  patch: {
    allow: gate('wiki.edit'),
    run: async ({ revisionid, body, ...name }, ctx) =>
      edited(ctx, await editWiki(ctx, await mustSeeWiki(ctx, name), revisionid, body)),
  },
  remove: {
    allow: gate('wiki.delete'),
    run: async ({ revisionid, ...name }, ctx) => removeWiki(ctx, await mustSeeWiki(ctx, name), revisionid),
  },
  revert: {
    allow: gate('wiki.edit'),
    run: async ({ revisionid, ...name }, ctx) =>
      edited(ctx, await revertWiki(ctx, await mustSeeWiki(ctx, name), revisionid, name.query.to_revisionid)),
  },
  patrol: {
    allow: gate('wiki.patrol'),
    run: async ({ revisionid, ...name }, ctx) =>
      edited(ctx, await patrolWiki(ctx, await mustSeeWiki(ctx, name), revisionid)),
  },
  revisions: {
    allow: maySee,
    run: async ({ params, query }, ctx) =>
      listRevisions(ctx, await mustSeeWiki(ctx, { params, query }), query),
  },
  tags: {
    allow: maySee,
    run: async (name, ctx) => tagsOfWiki(ctx.db, (await mustSeeWiki(ctx, name)).wikiid),
  },
  addTag: {
    allow: gate('wiki.tag'),
    run: async ({ body, ...name }, ctx) => {
      const facts = await mustSeeWiki(ctx, name);
      await addWikiTag(ctx, facts, body.tag);
      return edited(ctx, facts);
    },
  },
  removeTag: {
    allow: gate('wiki.tag'),
    run: async ({ body, ...name }, ctx) => {
      const facts = await mustSeeWiki(ctx, name);
      await removeWikiTag(ctx, facts, body.tag);
      return edited(ctx, facts);
    },
  },
});

export const categoryHandlers = handle(categories, {
  tree: ({ query }, ctx) => listCategories(ctx, query),
  all: ({ query }, ctx) => listCategoryTitles(ctx, query),
  read: {
    allow: ({ params, query }, ctx) =>
      maySee({ params: { namespace: 'CATEGORY', title: params.categoryname }, query }, ctx),
    run: async ({ params, query }, ctx) => {
      const facts = await mustSeeWiki(ctx, {
        params: { namespace: 'CATEGORY', title: params.categoryname },
        query,
      });
      refuseXml(query.type);
      return fullTopic(ctx, facts, shownVersion(facts));
    },
  },
});
