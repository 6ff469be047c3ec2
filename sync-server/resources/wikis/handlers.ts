import { Problem } from '#shared/api/problem.ts';
import { categories, wikis } from '#shared/api/wikis.ts';
import { handle } from '#server/http/handle.ts';

import { listCategories, listCategoryTitles, listWikis } from './list.ts';
import { fullTopic, fullWiki } from './record.ts';
import { readWiki } from './store.ts';

function refuseXml(type: 'JSON' | 'XML'): void {
  if (type === 'XML') throw new Problem('not-implemented', 'XML answers are not there yet; ask for JSON');
}

export const wikiHandlers = handle(wikis, {
  list: ({ params, query }, ctx) => listWikis(ctx, params.namespace, query),
  read: async ({ params, query }, ctx) => {
    const facts = await readWiki(ctx, params.namespace, params.title, query.langid);
    refuseXml(query.type);
    return fullWiki(ctx, facts);
  },
});

export const categoryHandlers = handle(categories, {
  tree: ({ query }, ctx) => listCategories(ctx, query),
  all: ({ query }, ctx) => listCategoryTitles(ctx, query),
  read: async ({ params, query }, ctx) => {
    const facts = await readWiki(ctx, 'CATEGORY', params.categoryname, query.langid);
    refuseXml(query.type);
    return fullTopic(ctx, facts);
  },
});
