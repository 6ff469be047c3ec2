import { tokens } from '#shared/api/tokens.ts';
import { handle } from '#server/http/handle.ts';

import { requireAppId } from './policy.ts';
import { removeToken, signIn } from './store.ts';
import { readOwnRecord } from '../users/store.ts';

export const tokenHandlers = handle(tokens, {
  create: {
    allow: (_, ctx) => requireAppId(ctx),
    run: async ({ body }, ctx) => {
      const { userid, token } = await signIn(ctx, body);
      return { ...(await readOwnRecord(ctx, userid)), authToken: token };
    },
  },
  remove: (_, ctx) => removeToken(ctx),
});
