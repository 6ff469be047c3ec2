import { notFound } from '#shared/api/problem.ts';
import { site, sites } from '#shared/api/site.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import type { Context } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';
import type { Site } from '#server/core/site-settings.ts';
import { loadSite, reloadSite, saveSite } from '#server/core/site.ts';

import { givenFlaw, type GivenFacts } from '../approvals/password.ts';
import { mustBeProved, withProof } from '../tokens/proof.ts';
import { mailAdministrators } from '../tokens/notices.ts';
import { beginBackup, listSiteJobs, sendTestMail } from './run.ts';
import { statusOf } from './status.ts';
import { issueAppId, listAppIds, revokeAppId, mustFindAppId } from './app-ids.ts';
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
 * Settings that let the person who controls them sign in as another person: password reset links start with the
 * address, the mail server sends them, and the identity provider identifies people.
 */
const signInSettings = ['address', 'smtp', 'sign_on'] as const satisfies (keyof Site)[];
type SignInSetting = (typeof signInSettings)[number];

/** Those settings that an edit changes. */
function changedSignInSettings(before: Site, after: Site): SignInSetting[] {
  return signInSettings.filter((setting) => !sameValue(before[setting], after[setting]));
}

/** Notifies the other administrators through the previous mail server. */
async function notifyOfChange(
  { services, viewer }: Context,
  { name, smtp }: Site,
  changed: readonly SignInSetting[],
): Promise<void> {
  if (changed.length === 0) return;
  await mailAdministrators(
    services,
    ({ mails, list }) => {
      const what = list(changed.map((setting) => mails.signInSettings[setting]));
      const { subject, text } = mails.settings;
      return { subject: subject(what, name), text: text(viewer.username, what, name) };
    },
    { except: viewer.userid, smtp },
  );
}

/**
 * The settings of the site.
 *
 * - SITE-1 Administrators read and change settings. Settings that an edit does not name stay.
 * - SITE-5 Settings that devices need reach them through the feed.
 * - SITE-6 Changes by another process take effect while the server runs.
 * - SITE-7 An edit with an idempotency key takes effect once.
 * - SITE-12 Limits are off by default. A call beyond a limit is 429 with the time of the next attempt, for each person
 *   separately.
 * - SITE-13 The calls of a batch count one by one. Invalid tokens count for their address.
 * - SITE-19 Administrators read the state of the server: quick checks with advice, the last backup and its proof, devices,
 *   jobs and sizes.
 * - SITE-14 The largest file size is a setting, of at most 80 MB.
 */
export const siteHandlers = handle(
  site,
  {
    read: (_, ctx) => siteRecordOf(ctx.services.site),
    patch: async ({ body: { current_password, sign_on_token, ...body } }, ctx) => {
      // Outside of the transaction, because DNS lookups may take long.
      await checkProvider(ctx.services, body);
      const proof = { current_password, sign_on_token };
      const use = { action: 'PATCH /site', flaw: (_: unknown, account: GivenFacts) => givenFlaw(account) };
      let notify = (): Promise<void> => Promise.resolve();
      const answer = await withProof(ctx, proof, use, async (write, isProved) => {
        const before = await loadSite(write.db);
        const site = editedSite(before, body);
        const changed = changedSignInSettings(before, site);
        // Open registration lets anyone create an account for an invented person (USER-18).
        const opensRegistration = site.public_registration && !before.public_registration;
        if (changed.length > 0 || opensRegistration) mustBeProved(isProved);
        notify = () => notifyOfChange(ctx, before, changed);
        await saveSite(write, site);
        return write.respondWithRecord('site', 'site', siteRecordOf(site));
      });
      await notify();
      await reloadSite(ctx.services);
      return answer;
    },
    status: (_, ctx) => statusOf(ctx.services),
    jobs: ({ query }, ctx) => listSiteJobs(ctx, query),
    backUp: (_, ctx) => beginBackup(ctx),
    testMail: (_, ctx) => sendTestMail(ctx),
    appIds: (_, ctx) => listAppIds(ctx.db),
    issueAppId: async ({ body }, ctx) => {
      const issued = await issueAppId(ctx, body.name);
      return ctx.respondWithRecord('appid', issued.appid, issued);
    },
    revokeAppId: async ({ params }, ctx) => {
      if (!(await revokeAppId(ctx, params.appid))) throw notFound('App id');
    },
  },
  {
    site: async (ctx) => siteRecordOf(await loadSite(ctx.db)),
    appid: (ctx, id) => mustFindAppId(ctx.db, id),
  },
);
