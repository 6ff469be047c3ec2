import { sameValue } from '#shared/rules/same-value.ts';

import type { Context } from './context.ts';
import type { Services } from './services.ts';
import { contextForJob } from './job.ts';
import { defaultSite, siteSettings, type Site } from './site-settings.ts';
import { findDocument } from '../storage/feed.ts';
import type { Db } from '../storage/tables.ts';

/** How often the server looks whether another process (the command line) wrote, ms. */
const lookMs = 500;

const storedSite = siteSettings.partial();

/** The settings that were chosen; what is missing follows the defaults. */
export async function loadSite(db: Db): Promise<Site> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', 'site').executeTakeFirst();
  const chosen = row === undefined ? {} : storedSite.parse(JSON.parse(row.value));
  const given = Object.entries(chosen).filter(([, value]) => value !== undefined);
  return { ...defaultSite, ...Object.fromEntries(given) };
}

/** Stores settings and tells devices; `reloadSite` makes them the running server's once this is committed. */
export async function saveSite(ctx: Context, site: Site): Promise<void> {
  const value = JSON.stringify(siteSettings.parse(site));
  await ctx.db
    .insertInto('meta')
    .values({ name: 'site', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  await publishSite(ctx, site);
}

/** Takes up the settings that are stored. */
export async function reloadSite({ site, siteLoads, storage }: Services): Promise<void> {
  Object.assign(site, await loadSite(storage.reader));
  siteLoads.count += 1;
}

/** Stores some settings as the server itself, and takes them up. */
export async function changeSite(services: Services, change: Partial<Site>): Promise<void> {
  await contextForJob(services, null, async (ctx) =>
    saveSite(ctx, { ...(await loadSite(ctx.db)), ...change }),
  );
  await reloadSite(services);
}

/** Tells devices what they need to know of the site, when that changed. */
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

/** `publishSite` at start: the settings may have been changed while nothing ran. */
export async function publishSiteAtStart(services: Services): Promise<void> {
  await contextForJob(services, null, (ctx) => publishSite(ctx, services.site));
}

/**
 * Notices what another process wrote: takes up changed settings and wakes whoever waits for changes. Returns what ends
 * it.
 */
export function watchOtherProcesses(services: Services): () => void {
  const timer = setInterval(() => {
    if (!services.storage.changedElsewhere()) return;
    reloadSite(services).then(
      () => services.bus.committed(),
      (error: unknown) => services.log.error({ err: error }, 'settings could not be read'),
    );
  }, lookMs).unref();
  return () => clearInterval(timer);
}
