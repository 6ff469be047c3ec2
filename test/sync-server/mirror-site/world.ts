import sharp from 'sharp';

import { contextForJob } from '#server/core/job.ts';
import { mirrorSite, type MirrorOptions } from '#server/features/mirror-site/mirror.ts';
import type { MirrorReport } from '#server/features/mirror-site/report.ts';
import { usualPace, type Pace } from '#server/features/mirror-site/source.ts';
import { seedDemo } from '#server/seed.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

/** Pauses that take no time. */
export const quickPace: Pace = { ...usualPace, wait: async () => undefined };

/** A site with an administrator, set up as existing apps need it (`compatibility`). */
export interface SourceSite extends AsyncDisposable {
  server: TestServer;
  admin: TestPerson;
}

/** Starts a source; with `demo` it has the recorded guides and the demo content. */
export async function startSource({ demo = false } = {}): Promise<SourceSite> {
  const server = await startServer({ site: { compatibility: true } });
  if (demo) {
    await seedDemo(server.services, { credential: () => undefined });
    await fillPictures(server);
  }
  const admin = await server.person('Boss', ['User', 'Author', 'Admin']);
  return { server, admin, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Gives every picture small bytes of its own: drawing them all would take minutes. */
async function fillPictures({ services }: TestServer): Promise<void> {
  const rows = await services.storage.reader.selectFrom('images').select('imageid').execute();
  const files = await Promise.all(
    rows.map(async ({ imageid }) => {
      const background = { r: imageid % 256, g: (imageid >> 8) % 256, b: 7 };
      const bytes = await sharp({ create: { width: 8, height: 6, channels: 3, background } })
        .png()
        .toBuffer();
      return { imageid, ...(await services.blobs.put(bytes)) };
    }),
  );
  await contextForJob(services, null, async (ctx) => {
    for (const { imageid, ...file } of files)
      await ctx.db
        .updateTable('images')
        .set({ ...file, format: 'png', drawing: null })
        .where('imageid', '=', imageid)
        .execute();
  });
}

/** Copies the source to the target. */
export function mirror(
  target: TestServer,
  { server, admin }: SourceSite,
  options: Partial<MirrorOptions> = {},
): Promise<MirrorReport> {
  return mirrorSite(target.services, {
    url: server.url,
    token: admin.token,
    site: 'source.example',
    pace: quickPace,
    ...options,
  });
}

/** The body of a `GET`, without a token by default. URLs of the server are relative, so that two servers compare. */
export async function readBare(server: TestServer, path: string, token?: string): Promise<unknown> {
  const response = await fetch(`${server.url}/api/2.0${path}`, {
    headers: token === undefined ? {} : { Authorization: `api ${token}` },
  });
  const text = await response.text();
  return response.ok
    ? (JSON.parse(text.replaceAll(server.url, '')) as unknown)
    : { status: response.status, text };
}

/** How many records of each kind a site has. */
export async function countAll({ services }: TestServer): Promise<Record<string, number>> {
  const tables = ['users', 'teams', 'guides', 'steps', 'wikis', 'comments', 'images', 'work_log'] as const;
  const versions = ['guide_revisions', 'wiki_revisions', 'step_form_revisions', 'guide_tags'] as const;
  const counts: Record<string, number> = {};
  for (const table of [...tables, ...versions]) {
    const { count } = await services.storage.reader
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    counts[table] = count;
  }
  return counts;
}

/** The calls of a person. */
export function callsOf(person: TestPerson): (method: string, path: string, body?: unknown) => Answered {
  return (method, path, body) => person.call(method, path, body);
}

type Answered = ReturnType<TestPerson['call']>;
