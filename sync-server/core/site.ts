import { sameValue } from '#shared/rules/same-value.ts';

import type { Context } from './context.ts';
import type { Services } from './services.ts';
import { contextForJob } from './job.ts';
import { defaultSite, siteSettings, type Site } from './site-settings.ts';
import { findDocument } from '../storage/feed.ts';
import type { Db } from '../storage/tables.ts';

const storedSite = siteSettings.partial();

/** The stored settings, with defaults for missing ones. */
export async function loadSite(db: Db): Promise<Site> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', 'site').executeTakeFirst();
  const chosen = row === undefined ? {} : storedSite.parse(JSON.parse(row.value));
  const withValue = Object.entries(chosen).filter(([, value]) => value !== undefined);
  return { ...defaultSite, ...Object.fromEntries(withValue) };
}

/** Stores settings and publishes them to devices. After the commit, `reloadSite` makes the running server use them. */
export async function saveSite(ctx: Context, site: Site): Promise<void> {
  const value = JSON.stringify(siteSettings.parse(site));
  await ctx.db
    .insertInto('meta')
    .values({ name: 'site', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  await publishSite(ctx, site);
}

/** Loads the stored settings into `services.site`. */
export async function reloadSite({ site, siteLoads, storage }: Services): Promise<void> {
  Object.assign(site, await loadSite(storage.reader));
  siteLoads.count += 1;
}

/** Changes some settings as the server itself, and loads them. */
export async function changeSite(services: Services, change: Partial<Site>): Promise<void> {
  await contextForJob(services, null, async (ctx) =>
    saveSite(ctx, { ...(await loadSite(ctx.db)), ...change }),
  );
  await reloadSite(services);
}

/** Publishes the settings that devices need, if they changed. */
async function publishSite(ctx: Context, site: Site): Promise<void> {
  const { name, title, description, langid, languages, guide_types, releases, support_url } = site;
  const facts = {
    kind: 'site',
    name,
    langid,
    guideTypes: guide_types,
    title,
    description,
    languages,
    releases,
    ...(support_url === null ? {} : { supportUrl: support_url }),
  } as const;
  const before = await findDocument(ctx.db, 'viewer', 'site');
  if (before === undefined || !sameValue(before, facts)) ctx.changes.put('viewer', 'site', facts, ['public']);
}

/** Publishes the settings at a start: they may have changed while the server was stopped. */
export async function publishSiteAtStart(services: Services): Promise<void> {
  await contextForJob(services, null, (ctx) => publishSite(ctx, services.site));
}

/**
 * Watches for writes of other processes: loads changed settings and notifies listeners of `services.bus`. Returns a
 * function that stops this.
 */
export function watchOtherProcesses(services: Services): () => void {
  const { storage, bus, log } = services;
  const load = (): Promise<void> => reloadSite(services);
  storage.followSettings?.(load);
  return storage.whenChangedElsewhere(() => {
    (storage.refresh ?? load)()
      .catch((error: unknown) => log.error({ err: error }, 'settings could not be read'))
      .finally(() => bus.committed());
  });
}
