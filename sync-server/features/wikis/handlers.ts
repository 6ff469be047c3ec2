import { invalid } from '#shared/api/problem.ts';
import { categories, wikis } from '#shared/api/wikis.ts';
import type { Wiki } from '#shared/model/wiki-record.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { newestVersion, shownVersion } from '#shared/rules/wiki-record.ts';
import type { Context, Remembered } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { categoryDocumentAnswer } from '../omanual/documents.ts';
import { categoryPageAnswer } from '../omanual/pages.ts';
import { addWikiTag, removeWikiTag, tagsOfWiki } from '../tags/store.ts';
import { createWiki, editWiki, mustBeNewest, patrolWiki, revertWiki } from './edit.ts';
import { listCategories, listCategoryTitles, listWikis } from './list.ts';
import { mustBeAllowed, mustCreateWiki, mustEditWiki, mustSeeWiki, type WikiName } from './policy.ts';
import { fullTopic, fullWiki, newestWiki, representWiki } from './record.ts';
import { removeWiki } from './remove.ts';
import { listRevisions, readVersion } from './revisions.ts';

/** The gate for an action on the wiki named in path and query. */
function gate(action: Parameters<typeof mustBeAllowed>[1]) {
  return async (name: WikiName, ctx: Context): Promise<void> => {
    await mustBeAllowed(ctx, action, name);
  };
}

const maySee = async (name: WikiName, ctx: Context): Promise<void> => void (await mustSeeWiki(ctx, name));

/** The answer to an edit: the newest version. */
async function edited(ctx: Context, facts: WikiFacts): Promise<Remembered<Wiki>> {
  return ctx.respondWithRecord('wiki', facts.wikiid, newestWiki(ctx, facts));
}

export const wikiHandlers = handle(
  wikis,
  {
    list: ({ params, query }, ctx) => listWikis(ctx, params.namespace, query),
    read: {
      allow: maySee,
      run: async ({ params, query }, ctx) => {
        const facts = await mustSeeWiki(ctx, { params, query });
        if (query.type !== 'JSON' && params.namespace !== 'CATEGORY')
          throw invalid('type', `Only categories are there as ${query.type}`);
        const current = query.unpatrolled ? newestVersion(facts) : shownVersion(facts);
        const version =
          query.revisionid === undefined ? current : await readVersion(ctx, facts, query.revisionid);
        if (query.type === 'XML') return categoryDocumentAnswer(ctx, version);
        if (query.type === 'HTML') return categoryPageAnswer(ctx, version);
        return fullWiki(ctx, facts, version, query.langid);
      },
    },
    create: {
      allow: ({ asked }, ctx) => mustCreateWiki(ctx, asked),
      run: async ({ query, body }, ctx) => edited(ctx, await createWiki(ctx, body, query.langid)),
    },
    patch: {
      allow: ({ asked, ...name }, ctx) => mustEditWiki(ctx, name, asked),
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
        edited(
          ctx,
          await revertWiki(ctx, await mustSeeWiki(ctx, name), revisionid, name.query.to_revisionid),
        ),
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
      run: async ({ revisionid, body, ...name }, ctx) => {
        const facts = await mustSeeWiki(ctx, name);
        await mustBeNewest(ctx, facts, revisionid);
        await addWikiTag(ctx, facts, body.tag);
        return edited(ctx, facts);
      },
    },
    removeTag: {
      allow: gate('wiki.tag'),
      run: async ({ revisionid, body, ...name }, ctx) => {
        const facts = await mustSeeWiki(ctx, name);
        await mustBeNewest(ctx, facts, revisionid);
        await removeWikiTag(ctx, facts, body.tag);
        return edited(ctx, facts);
      },
    },
  },
  {
    wiki: (ctx, id) => representWiki(ctx, Number(id)),
  },
);

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
      const version = shownVersion(facts);
      return query.type === 'XML' ? categoryDocumentAnswer(ctx, version) : fullTopic(ctx, facts, version);
    },
  },
});
