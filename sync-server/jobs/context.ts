import { viewerOf, nobody, teamsOf } from '#server/http/auth.ts';
import type { Context, Services } from '#server/http/context.ts';
import { rememberTextPictures } from '#server/media/text-pictures.ts';
import { Changes } from '#server/storage/feed.ts';
import { announceChanges } from '#server/webhooks/announce.ts';

/**
 * Runs work that no request asked for (seed, import, command line) in one write transaction, as a person or (null)
 * as the server itself. `baseUrl` of its context is empty: URLs it makes are site-relative.
 */
export async function contextForJob<T>(
  services: Services,
  userid: number | null,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const changes = new Changes();
  const result = await services.storage.writer.transaction().execute(async (tx) => {
    const ctx: Context = {
      services,
      db: tx,
      viewer: nobody,
      baseUrl: '',
      address: '',
      headers: {},
      seconds: Math.floor(services.now() / 1000),
      key: null,
      changes,
      answersWith: () => undefined,
      created: () => undefined,
      total: () => undefined,
      write: () => {
        throw new Error('A job runs in one transaction');
      },
    };
    if (userid !== null) {
      const row = await tx
        .selectFrom('users')
        .select(['username', 'privileges'])
        .where('userid', '=', userid)
        .executeTakeFirstOrThrow();
      ctx.viewer = viewerOf(
        userid,
        row.username,
        JSON.parse(row.privileges) as string[],
        await teamsOf(tx, userid),
      );
    }
    const value = await work(ctx);
    await rememberTextPictures(tx, null, changes);
    await announceChanges(tx, services, changes, userid ?? 0);
    await changes.flush(tx, { key: null, userid }, () =>
      Buffer.from(services.randomBytes(6)).toString('hex'),
    );
    return value;
  });
  services.bus.committed();
  return result;
}
