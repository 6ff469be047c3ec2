import { forbidden, Problem } from '#shared/api/problem.ts';
import type { FlagRecord } from '#shared/model/guide-record.ts';
import { users } from '#shared/api/users.ts';
import { can } from '#server/features/can.ts';
import { type Context, mustUserid } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { userFlagRecords } from '../guides/flags.ts';
import { listContributed, listMarked } from '../guides/list.ts';
import { mark, unmark } from '../guides/marks.ts';
import { mustSeeGuide } from '../guides/policy.ts';
import { listBadges } from '../merits/badges.ts';
import { askForAddress, countNewAddress, forgetAskedAddress } from '../tokens/new-address.ts';
import { askerOf } from '../tokens/passwords.ts';
import { requireAppId } from '../tokens/policy.ts';
import { mustActAsOneself, withProof } from '../tokens/proof.ts';
import { credentialsIn, flawOfProof, mustDiffer, mustProveChange } from './credentials.ts';
import { editProfile } from './edit.ts';
import { ownImage } from '../media/manager.ts';
import { mustEditPerson, mustExist, mustFindByAddress, mustGovern, mustNotBeStation } from './policy.ts';
import { register } from './register.ts';
import { listUsers, searchNames, searchUsers } from './search.ts';
import { readOwnRecord, readProfile, representUser } from './store.ts';

async function mayRead({ params }: { params: { userid: number } }, ctx: Context): Promise<void> {
  await mustExist(ctx, params.userid);
}

async function mayFavorite({ params }: { params: { guideid: number } }, ctx: Context): Promise<void> {
  await mustSeeGuide(ctx, params.guideid);
}

export const userHandlers = handle(
  users,
  {
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
        const { userid, token } = await register(ctx, body);
        return {
          ...(await readOwnRecord({ ...ctx, db: ctx.services.storage.reader }, userid)),
          ...(token === undefined ? {} : { authToken: token }),
        };
      },
    },
    list: ({ query }, ctx) => listUsers(ctx, query),
    own: (_, ctx) => readOwnRecord(ctx, mustUserid(ctx)),
    search: ({ params, query }, ctx) => searchUsers(ctx, params.search, query),
    searchNames: ({ params, query }, ctx) => searchNames(ctx, params.search, query),
    bySso: async ({ params }, ctx) =>
      readProfile(ctx, await mustFindByAddress(ctx, 'sso_userid', params.sso_userid)),
    byEmail: async ({ params }, ctx) => readProfile(ctx, await mustFindByAddress(ctx, 'email', params.email)),
    read: { allow: mayRead, run: ({ params }, ctx) => readProfile(ctx, params.userid) },
    patch: {
      allow: async ({ params, asked }, ctx) => {
        await mustEditPerson(ctx, params.userid);
        mustGovern(ctx, params.userid, asked);
        await mustNotBeStation(ctx, params.userid, asked);
        if (credentialsIn(asked)) mustActAsOneself(ctx, 'cannot change how this person signs in');
      },
      run: async ({ params, body }, ctx) => {
        const { password, image, email, current_password, sign_on_token, ...edit } = body;
        mustDiffer(password, current_password);
        const passwordHash =
          password === undefined ? undefined : await ctx.services.passwords.hash(password, askerOf(ctx));
        const use = {
          action: 'PATCH /users/{userid}',
          flaw: flawOfProof(params.userid === ctx.viewer.userid, body),
        };
        const proof = { current_password, sign_on_token };
        let send: (() => void) | undefined;
        let notify = (): void => undefined;
        const edited = await withProof(ctx, proof, use, async (write, isProved) => {
          const { isOtherAddress } = await mustProveChange(write, params.userid, body, isProved);
          const picture = await ownImage(write, image);
          // Only administrators learn that an address is taken; for others it is confirmed by mail (USER-11).
          const isAsked =
            email !== undefined &&
            isOtherAddress &&
            !write.viewer.isAdmin &&
            write.services.mailer.isConfigured;
          const address = isAsked ? {} : { email };
          notify = await editProfile(write, params.userid, {
            ...edit,
            ...address,
            passwordHash,
            image: picture,
          });
          if (email !== undefined) await forgetAskedAddress(write.db, params.userid);
          if (isAsked) {
            await countNewAddress(write);
            send = await askForAddress(write, params.userid, email, 'changed');
          }
          return write.respondWithRecord('user', params.userid, representUser(write, params.userid));
        });
        notify();
        if (send !== undefined) setImmediate(send);
        return edited;
      },
    },
    badges: { allow: mayRead, run: ({ params, query }, ctx) => listBadges(ctx, params.userid, query) },
    ownBadges: ({ query }, ctx) => listBadges(ctx, mustUserid(ctx), query),
    flags: (_, { viewer, baseUrl }) => {
      const byId = (of: 'guide' | 'wiki'): Record<string, FlagRecord> =>
        Object.fromEntries(
          userFlagRecords(viewer.privileges, baseUrl, of).map((flag) => [flag.flagid, flag]),
        );
      return { guide: byId('guide'), wiki: byId('wiki') };
    },
    ownGuides: ({ query }, ctx) => listContributed(ctx, mustUserid(ctx), query),
    guides: { allow: mayRead, run: ({ params, query }, ctx) => listContributed(ctx, params.userid, query) },
    ownFavorites: ({ query }, ctx) => listMarked(ctx, 'favorites', mustUserid(ctx), query),
    favorites: {
      allow: mayRead,
      run: ({ params, query }, ctx) => listMarked(ctx, 'favorites', params.userid, query),
    },
    favorite: { allow: mayFavorite, run: ({ params }, ctx) => mark(ctx, 'favorites', params.guideid) },
    unfavorite: { allow: mayFavorite, run: ({ params }, ctx) => unmark(ctx, 'favorites', params.guideid) },
    ownCompletions: async ({ query }, ctx) =>
      (await listMarked(ctx, 'completions', mustUserid(ctx), query)).map((one) => one.guide),
    completions: {
      allow: mayRead,
      run: async ({ params, query }, ctx) =>
        (await listMarked(ctx, 'completions', params.userid, query)).map((one) => one.guide),
    },
  },
  {
    user: (ctx, id) => representUser(ctx, Number(id)),
  },
);
