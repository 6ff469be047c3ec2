import { notFound } from '#shared/api/problem.ts';
import { site, sites } from '#shared/api/site.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { handle } from '#server/http/handle.ts';
import type { Site } from '#server/site-settings.ts';
import { loadSite, reloadSite, saveSite } from '#server/site.ts';

import { givenFlaw, type GivenFacts } from '../approvals/password.ts';
import { mustBeProved, withProof } from '../tokens/proof.ts';
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

/**
 * Whether whoever chose these settings can come in as somebody else: by links for new passwords, which begin with the
 * address of the site and leave by its mail server, or by an identity provider that says what they want.
 */
function letsOthersIn(before: Site, after: Site): boolean {
  return (['address', 'smtp', 'signOn'] as const).some((name) => !sameValue(before[name], after[name]));
}

export const siteHandlers = handle(site, {
  read: (_, ctx) => siteRecordOf(ctx.services.site),
  patch: async ({ body: { current_password, sign_on_token, ...body } }, ctx) => {
    // Names are looked up outside of the transaction: that may take long.
    await checkProvider(ctx.services, body);
    const proof = { current_password, sign_on_token };
    const use = { action: 'PATCH /site', flaw: (_: unknown, account: GivenFacts) => givenFlaw(account) };
    const answer = await withProof(ctx, proof, use, async (write, isProved) => {
      const before = await loadSite(write.db);
      const site = editedSite(before, body);
      if (letsOthersIn(before, site)) mustBeProved(isProved);
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
