import { audit } from '#shared/api/audit.ts';
import { countAudit, listAudit } from './list.ts';
import { handle } from '#server/http/handle.ts';

export const auditHandlers = handle(audit, {
  list: async ({ query: { from, limit, offset, ...filter } }, ctx) => {
    const wanted = { ...filter, since: from };
    ctx.total(await countAudit(ctx.db, wanted));
    return listAudit(ctx.db, wanted, { limit, offset });
  },
});
