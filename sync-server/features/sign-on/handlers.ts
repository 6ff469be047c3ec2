import { signOn, signOnSessions } from '#shared/api/sign-on.ts';
import { TextAnswer } from '#server/http/answers.ts';
import type { Context } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';
import { resultPage, signInPage } from '#server/features/sign-on/page.ts';
import {
  beginSignOn,
  consumeAssertion,
  mustBeKnownThere,
  mustHaveProvider,
  representSignOn,
  takeToken,
} from '#server/features/sign-on/requests.ts';
import { metadataOf } from '#server/features/sign-on/saml.ts';
import {
  answerSignIn,
  beginSignIn,
  findSignIn,
  mustHaveSignIn,
  redeemSignIn,
} from '#server/features/sign-on/sign-ins.ts';

import { requireAppId } from '../tokens/policy.ts';
import { readOwnRecord } from '../users/store.ts';
import { representToken } from './requests.ts';

export const signOnHandlers = handle(
  signOn,
  {
    metadata: (_, ctx) =>
      new TextAnswer('application/xml', metadataOf(ctx.services.site, mustHaveProvider(ctx))),
    begin: { allow: (_, ctx) => mustBeKnownThere(ctx), run: (_, ctx) => beginSignOn(ctx) },
    read: {
      allow: async ({ params }, ctx) => void (await representSignOn(ctx, params.sign_onid)),
      run: ({ params }, ctx) => representSignOn(ctx, params.sign_onid),
    },
    token: {
      allow: async ({ params }, ctx) => void (await representSignOn(ctx, params.sign_onid)),
      run: ({ params }, ctx) => takeToken(ctx, params.sign_onid),
    },
    assertions: async ({ body }, ctx) => {
      const signIn = await findSignIn(ctx.db, body.RelayState);
      if (signIn !== undefined) return signInPage(ctx, await answerSignIn(ctx, signIn, body.SAMLResponse));
      const consumed = await consumeAssertion(ctx, body.RelayState, body.SAMLResponse);
      return resultPage(ctx, consumed);
    },
  },
  {
    signOn: representSignOn,
    signOnToken: representToken,
  },
);

async function mayEnter(_: unknown, ctx: Context): Promise<void> {
  mustHaveSignIn(ctx);
  await requireAppId(ctx);
}

export const signOnSessionHandlers = handle(signOnSessions, {
  begin: { allow: mayEnter, run: ({ body }, ctx) => beginSignIn(ctx, body) },
  redeem: {
    allow: mayEnter,
    run: async ({ body }, ctx) => {
      const { userid, token } = await redeemSignIn(ctx, body);
      return { ...(await readOwnRecord(ctx, userid)), authToken: token };
    },
  },
});
