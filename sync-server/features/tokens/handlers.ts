import { notFound } from '#shared/api/problem.ts';
import { deviceSecrets, passwordReset, sessions, tokens } from '#shared/api/tokens.ts';
import type { Context } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { readOwnRecord } from '../users/store.ts';
import { mustObtainSecret, obtainSecret } from './device-secrets.ts';
import { confirmReset, requestReset } from './password-reset.ts';
import { mustImpersonate, mustSeeSessions, requireAppId } from './policy.ts';
import { endOtherSessions, endSession, listSessions } from './sessions.ts';
import { impersonate, removeToken, representImpersonation, signIn } from './store.ts';

export const tokenHandlers = handle(
  tokens,
  {
    create: {
      allow: (_, ctx) => requireAppId(ctx),
      run: async ({ body }, ctx) => {
        const { userid, token, deviceKey } = await signIn(ctx, body);
        return { ...(await readOwnRecord(ctx, userid)), authToken: token, deviceKey };
      },
    },
    impersonate: {
      allow: (_, ctx) => mustImpersonate(ctx),
      run: async ({ body }, ctx) => {
        const authToken = await impersonate(ctx, body.userid);
        const record = { ...(await representImpersonation(ctx, body.userid)), authToken };
        return ctx.respondWithRecord('impersonation', body.userid, record);
      },
    },
    remove: (_, ctx) => removeToken(ctx),
  },
  {
    impersonation: (ctx, id) => {
      mustImpersonate(ctx);
      return representImpersonation(ctx, Number(id));
    },
  },
);

async function mayManage({ params }: { params: { userid: number } }, ctx: Context): Promise<void> {
  await mustSeeSessions(ctx, params.userid);
}

export const sessionHandlers = handle(sessions, {
  list: { allow: mayManage, run: ({ params }, ctx) => listSessions(ctx, params.userid) },
  end: {
    allow: mayManage,
    run: async ({ params }, ctx) => {
      if (!(await endSession(ctx.db, params.userid, params.sessionid))) throw notFound('Session');
    },
  },
  endOthers: { allow: mayManage, run: ({ params }, ctx) => endOtherSessions(ctx, params.userid) },
});

export const deviceSecretHandlers = handle(deviceSecrets, {
  obtain: {
    allow: (_, ctx) => mustObtainSecret(ctx),
    run: async ({ body }, ctx) => ({ secret: await obtainSecret(ctx, body.device) }),
  },
});

export const passwordResetHandlers = handle(passwordReset, {
  request: async ({ body }, ctx) => {
    await requestReset(ctx, body.email);
    return { message: 'If this address has an account, a link to set a new password is on its way to it' };
  },
  confirm: ({ body }, ctx) => confirmReset(ctx, body.token, body.password),
});
