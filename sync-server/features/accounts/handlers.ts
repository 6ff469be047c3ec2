import { accounts } from '#shared/api/accounts.ts';
import { handle } from '#server/http/handle.ts';

import { invite, redeem } from './invite.ts';
import { endAllSessions, listAccounts, listAllSessions } from './list.ts';
import { mustEndSessions, mustInvite, mustListAccounts } from './policy.ts';

export const accountHandlers = handle(accounts, {
  list: { allow: (_, ctx) => mustListAccounts(ctx), run: ({ query }, ctx) => listAccounts(ctx, query) },
  invite: {
    allow: ({ params }, ctx) => mustInvite(ctx, params.userid),
    run: ({ params, body }, ctx) => invite(ctx, params.userid, body),
  },
  redeem: ({ body }, ctx) => redeem(ctx, body),
  sessions: {
    allow: (_, ctx) => mustListAccounts(ctx),
    run: ({ query }, ctx) => listAllSessions(ctx, query),
  },
  endSessions: { allow: (_, ctx) => mustEndSessions(ctx), run: (_, ctx) => endAllSessions(ctx) },
});
