import { audit } from '#shared/api/audit.ts';
import { requestOf } from '#shared/api/client.ts';
import { auditActions as ownActions, auditObject, type AuditEntry } from '#shared/model/audit.ts';

import { auditPageSize, type AuditActions, type AuditPage, type AuditQuery } from '../api/audit.ts';
import type { Core } from '../account/core.ts';
import { readOwn, serverFetch } from './server-client.ts';

/** Number of rows about the log itself that are searched for gaps. */
const ownRows = 200;

/** Reads of the audit log, from the server directly. Nothing of it is stored on the device. */
export function auditActions({
  sources: { core },
}: {
  sources: { core: Pick<Core, 'request'> };
}): AuditActions {
  const send = serverFetch(core);
  const list = async (query: AuditQuery & { limit: number; offset?: number }): Promise<AuditPage> => {
    const { url, init } = requestOf(audit.list, { query: { ...query } }, { baseUrl: '' }, {});
    const response = await send(url, init);
    const entries = (await readOwn(audit.list, response)) as AuditEntry[];
    return { entries, total: Number(response.headers.get('x-total-count') ?? entries.length) };
  };
  return {
    readAudit: (query, page) => list({ ...query, limit: auditPageSize, offset: page * auditPageSize }),
    readAuditGap: async () => openGap((await list({ object: auditObject, limit: ownRows })).entries),
  };
}

/** The newest gap that no later row acknowledges; `entries`: newest first. */
function openGap(entries: readonly AuditEntry[]): number | null {
  const newest = entries.find(({ action }) => action === ownActions.gap || action === ownActions.acknowledge);
  return newest?.action === ownActions.gap ? newest.seq : null;
}
