import { z } from 'zod';

import { guideTypes } from '#shared/model/guide.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Context, Services, Site } from './http/context.ts';
import { contextForJob } from './jobs/context.ts';
import { findDocument } from './storage/feed.ts';
import type { Db } from './storage/tables.ts';

/** What a site is until an administrator chooses otherwise. */
export const defaultSite: Site = {
  name: 'Benchbook',
  langid: 'en',
  guideTypes: [...guideTypes],
  publicRegistration: false,
  appIds: [],
  private: false,
  compatibility: false,
};

const storedSite = z
  .strictObject({
    name: z.string(),
    langid: z.string(),
    guideTypes: z.array(z.string()),
    publicRegistration: z.boolean(),
    appIds: z.array(z.string()),
    private: z.boolean(),
    compatibility: z.boolean(),
  })
  .partial();

/** The settings that were chosen; what is missing follows the defaults. */
export async function loadSite(db: Db): Promise<Site> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', 'site').executeTakeFirst();
  const chosen = row === undefined ? {} : storedSite.parse(JSON.parse(row.value));
  const given = Object.entries(chosen).filter(([, value]) => value !== undefined);
  return { ...defaultSite, ...Object.fromEntries(given) };
}

/** Stores settings and makes them the running server's. */
export async function saveSite(ctx: Context, site: Site): Promise<void> {
  const value = JSON.stringify(site);
  await ctx.db
    .insertInto('meta')
    .values({ name: 'site', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  Object.assign(ctx.services.site, site);
  await publishSite(ctx);
}

/** Tells devices what they need to know of the site, when that changed. */
export async function publishSite(ctx: Context): Promise<void> {
  const { name, langid, guideTypes: types } = ctx.services.site;
  const facts = { kind: 'site', name, langid, guideTypes: types } as const;
  const before = await findDocument(ctx.db, 'viewer', 'site');
  if (before === undefined || !sameValue(before, facts)) ctx.changes.put('viewer', 'site', facts, ['public']);
}

/** `publishSite` at start: the settings may have been changed while nothing ran. */
export async function publishSiteAtStart(services: Services): Promise<void> {
  await contextForJob(services, null, publishSite);
}
