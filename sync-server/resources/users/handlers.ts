import { forbidden, invalid, notFound, Problem } from '#shared/api/problem.ts';
import { users } from '#shared/api/users.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { can } from '#server/access/can.ts';
import type { Context } from '#server/http/context.ts';
import { mustUserid } from '#server/http/context.ts';
import { handle } from '#server/http/handle.ts';

import { userFlagRecords } from '../guides/flags.ts';
import { listContributed, listMarked } from '../guides/list.ts';
import { mark, unmark } from '../guides/marks.ts';
import { mustSeeGuide } from '../guides/policy.ts';
import { requireAppId } from '../tokens/policy.ts';
import { issueToken } from '../tokens/store.ts';
import {
  createAccount,
  deriveUniqueUsername,
  editProfile,
  findPerson,
  listUsers,
  readOwnRecord,
  readProfile,
  representUser,
} from './store.ts';

async function mustExist({ params }: { params: { userid: number } }, ctx: Context): Promise<void> {
  if ((await findPerson(ctx.db, params.userid)) === undefined) throw notFound('User');
}

async function mayFavorite({ params }: { params: { guideid: number } }, ctx: Context): Promise<void> {
  await mustSeeGuide(ctx, params.guideid);
}

async function ownImage(
  ctx: Context,
  imageid: number | null | undefined,
): Promise<ImageRef | null | undefined> {
  if (imageid == null) return imageid;
  const row = await ctx.db
    .selectFrom('images')
    .innerJoin('media_manager', (join) =>
      join.onRef('media_manager.id', '=', 'images.imageid').on('kind', '=', 'image'),
    )
    .select(['imageid', 'guid', 'width', 'height'])
    .where('imageid', '=', imageid)
    .where('media_manager.userid', '=', mustUserid(ctx))
    .executeTakeFirst();
  if (row === undefined) throw invalid('image', `Image ${imageid} is not in your media manager`);
  return { id: row.imageid, guid: row.guid, width: row.width, height: row.height };
}

export const userHandlers = handle(users, {
  register: {
    allow: async (_, ctx) => {
      if (!can(ctx.viewer, 'account.register', ctx.services.site)) {
        throw ctx.viewer.userid === 0
          ? new Problem('unauthorized', 'Registration is closed on this site; ask an administrator')
          : forbidden('Only an administrator registers people on this site', ['Admin']);
      }
      await requireAppId(ctx);
    },
    run: async ({ body }, ctx) => {
      const passwordHash = await ctx.services.passwords.hash(body.password);
      const { userid, token } = await ctx.write(async (write) => {
        const unique = body.unique_username ?? (await deriveUniqueUsername(write.db, body.username));
        const account = {
          username: body.username,
          unique_username: unique,
          email: body.email,
          passwordHash,
          privileges: ['User'],
        };
        const created = await createAccount(write, account);
        write.answersWith('user', created);
        return {
          userid: created,
          token: await issueToken(write, created, write.headers['user-agent'] ?? ''),
        };
      });
      return {
        ...(await readOwnRecord({ ...ctx, db: ctx.services.storage.reader }, userid)),
        authToken: token,
      };
    },
  },
  list: ({ query }, ctx) => listUsers(ctx, query),
  own: (_, ctx) => readOwnRecord(ctx, mustUserid(ctx)),
  read: { allow: mustExist, run: ({ params }, ctx) => readProfile(ctx, params.userid) },
  patch: {
    allow: async ({ params }, ctx) => {
      await mustExist({ params }, ctx);
      if (params.userid !== ctx.viewer.userid && !ctx.viewer.isAdmin)
        throw forbidden("Only an administrator edits other people's profiles", ['Admin']);
    },
    run: async ({ params, body }, ctx) => {
      if ((body.privileges !== undefined || body.enabled !== undefined) && !ctx.viewer.isAdmin) {
        throw forbidden('Only an administrator changes privileges', ['Admin']);
      }
      const { password, image, ...edit } = body;
      const passwordHash = password === undefined ? undefined : await ctx.services.passwords.hash(password);
      await ctx.write(async (write) => {
        const picture = await ownImage(write, image);
        await editProfile(write, params.userid, { ...edit, passwordHash, image: picture });
        write.answersWith('user', params.userid);
      });
      return representUser(ctx, params.userid);
    },
  },
  flags: (_, ctx) => ({
    guide: Object.fromEntries(
      userFlagRecords(ctx.viewer.privileges, ctx.baseUrl).map((flag) => [flag.flagid, flag]),
    ),
  }),
  ownGuides: ({ query }, ctx) => listContributed(ctx, mustUserid(ctx), query),
  guides: { allow: mustExist, run: ({ params, query }, ctx) => listContributed(ctx, params.userid, query) },
  ownFavorites: ({ query }, ctx) => listMarked(ctx, 'favorites', mustUserid(ctx), query),
  favorites: {
    allow: mustExist,
    run: ({ params, query }, ctx) => listMarked(ctx, 'favorites', params.userid, query),
  },
  favorite: { allow: mayFavorite, run: ({ params }, ctx) => mark(ctx, 'favorites', params.guideid) },
  unfavorite: { allow: mayFavorite, run: ({ params }, ctx) => unmark(ctx, 'favorites', params.guideid) },
  ownCompletions: async ({ query }, ctx) =>
    (await listMarked(ctx, 'completions', mustUserid(ctx), query)).map((one) => one.guide),
  completions: {
    allow: mustExist,
    run: async ({ params, query }, ctx) =>
      (await listMarked(ctx, 'completions', params.userid, query)).map((one) => one.guide),
  },
});
