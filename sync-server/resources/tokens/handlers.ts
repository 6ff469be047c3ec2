import { passwordReset, tokens } from '#shared/api/tokens.ts';
import { handle } from '#server/http/handle.ts';

import { readOwnRecord } from '../users/store.ts';
import { confirmReset, requestReset } from './password-reset.ts';
import { mustImpersonate, requireAppId } from './policy.ts';
import { impersonate, removeToken, signIn } from './store.ts';

export const tokenHandlers = handle(tokens, {
  create: {
    allow: (_, ctx) => requireAppId(ctx),
    run: async ({ body }, ctx) => {
      const { userid, token } = await signIn(ctx, body);
      return { ...(await readOwnRecord(ctx, userid)), authToken: token };
    },
  },
  impersonate: {
    allow: (_, ctx) => mustImpersonate(ctx),
    run: async ({ body }, ctx) => {
      const authToken = await impersonate(ctx, body.userid);
      const record = { ...(await readOwnRecord(ctx, body.userid)), authToken };
      return ctx.answersWith('impersonation', body.userid, record);
    },
  },
  remove: (_, ctx) => removeToken(ctx),
});

export const passwordResetHandlers = handle(passwordReset, {
  request: async ({ body }, ctx) => {
    await requestReset(ctx, body.email);
    return { message: 'If this address has an account, a link to set a new password is on its way to it' };
  },
  confirm: ({ body }, ctx) => confirmReset(ctx, body.token, body.password),
});
