import { notFound } from '#shared/api/problem.ts';
import type { CollectedArchive } from '#shared/model/archive-record.ts';
import { slug } from '#shared/omanual/names.ts';
import { FileAnswer } from '#server/http/answers.ts';
import type { Context } from '#server/http/context.ts';

import { plannedArchives, siteArchive } from './plan.ts';
import { currentVersions, findVersion } from './versions.ts';

/** The archives of the collection, the whole site first; what is not made yet is told so. */
export async function listCollection(ctx: Context): Promise<CollectedArchive[]> {
  const base = await ctx.services.wantCollection(ctx.baseUrl);
  const plan = await plannedArchives(ctx.db, ctx.services, base);
  const versions = await currentVersions(ctx.db);
  return plan.map(({ name, title, category, guides }): CollectedArchive => {
    const version = versions.get(name);
    if (version === undefined)
      return {
        name,
        title,
        category,
        guides,
        state: 'building',
        size: null,
        date: null,
        hash: null,
        url: null,
      };
    return {
      name,
      title: version.title,
      category: version.category,
      guides: version.guides,
      state: 'ready',
      size: version.size,
      date: version.created_date,
      hash: version.sha256,
      url: `${ctx.baseUrl}/api/2.0/omanual/${name}.omanual?hash=${version.sha256}`,
    };
  });
}

/** The file of a version; 404 when it shows a guide that is public no more. */
export async function downloadCollected(
  ctx: Context,
  name: string,
  hash: string | undefined,
): Promise<FileAnswer> {
  await ctx.services.wantCollection(ctx.baseUrl);
  const version = await findVersion(ctx.db, name, hash);
  if (version === undefined) throw notFound('Archive');
  return new FileAnswer('application/zip', ctx.services.archives.path(version.sha256), {
    etag: version.sha256,
    // Also an immutable version may be asked for only while everything in it is public.
    isPublic: false,
    disposition: attachment(`${(name === siteArchive && slug(version.title)) || name}.omanual`),
  });
}

/** Saved under this name by browsers. */
export function attachment(filename: string): string {
  return `attachment; filename*=UTF-8''${encodeURIComponent(filename).replaceAll("'", '%27')}`;
}
