import { notFound } from '#shared/api/problem.ts';
import { site, sites } from '#shared/api/site.ts';
import { handle } from '#server/http/handle.ts';
import { loadSite, reloadSite, saveSite } from '#server/site.ts';

import { issueAppId, listAppIds, revokeAppId } from './app-ids.ts';
import { checkProvider, editedSite, siteInfoOf, siteRecordOf } from './record.ts';

export const sitesHandlers = handle(sites, {
  info: (_, ctx) => siteInfoOf(ctx.services.site, ctx.baseUrl),
  infoShort: (_, ctx) => siteInfoOf(ctx.services.site, ctx.baseUrl),
  list: ({ query }, ctx) => {
    ctx.total(1);
    return [siteInfoOf(ctx.services.site, ctx.baseUrl)].slice(query.offset);
  },
});

export const siteHandlers = handle(site, {
  read: (_, ctx) => siteRecordOf(ctx.services.site),
  patch: async ({ body }, ctx) => {
    // Names are looked up outside of the transaction: that may take long.
    await checkProvider(ctx.services, body);
    const answer = await ctx.write(async (write) => {
      const site = editedSite(await loadSite(write.db), body);
      await saveSite(write, site);
      return write.answersWith('site', 'site', siteRecordOf(site));
    });
    await reloadSite(ctx.services);
    return answer;
  },
  appIds: (_, ctx) => listAppIds(ctx.db),
  issueAppId: async ({ body }, ctx) => {
    const issued = await issueAppId(ctx, body.name);
    return ctx.answersWith('appid', issued.appid, issued);
  },
  revokeAppId: async ({ params }, ctx) => {
    if (!(await revokeAppId(ctx, params.appid))) throw notFound('App id');
  },
});
