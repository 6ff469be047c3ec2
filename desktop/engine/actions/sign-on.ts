import { approvals } from '#shared/api/approvals.ts';
import { Problem } from '#shared/api/problem.ts';
import { signOn } from '#shared/api/sign-on.ts';
import { sites } from '#shared/api/site.ts';

import type { Core } from '../account/core.ts';
import type { SignOnActions } from '../api/sign-on.ts';
import { tokenKeeper } from './proofs.ts';
import { serverClient } from './server-client.ts';

const tables = { approvals, signOn, sites };

/** Actions to sign with the site's identity provider. Tokens are in memory until they are used. */
export function signOnActions({
  sources: { core },
}: {
  sources: { core: Pick<Core, 'request' | 'sync'> };
}): SignOnActions {
  const client = serverClient(core, tables);
  const tokens = tokenKeeper(client);
  return {
    offersSignOn: async () => (await client.sites.info({})).authentication['sign-on'],
    async beginSignOn() {
      const begun = await client.signOn.begin({});
      if (!/^https?:\/\//i.test(begun.url))
        throw new Problem('unavailable', 'The server names no web address of an identity provider');
      return begun;
    },
    readSignOn: (sign_onid) => client.signOn.read({ params: { sign_onid } }),
    async signApprovalBySignOn(requestid, { revisionHash, ...decision }, sign_onid) {
      const token = await tokens.take(sign_onid);
      const signed = await client.approvals.signWithToken({
        params: { approval_requestid: String(requestid) },
        body: { ...decision, revision_hash: revisionHash, token },
      });
      tokens.forget(sign_onid);
      core.sync.now();
      return signed;
    },
  };
}
