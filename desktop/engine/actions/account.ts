import { signOn } from '#shared/api/sign-on.ts';
import { sessions } from '#shared/api/tokens.ts';
import { users, type ProfileEdit } from '#shared/api/users.ts';

import type { AccountActions } from '../api/account.ts';
import type { Core } from '../account/core.ts';
import { fetchDeviceSecret } from '../account/device-secret.ts';
import { type ActionContext, impossible } from '../features/action-context.ts';
import { proofSender } from './proofs.ts';
import { serverClient } from './server-client.ts';

const tables = { signOn, sessions, users };

/**
 * Actions about how a person signs in. They go to the server directly; nothing is stored on the device or waits in the
 * outbox.
 */
export function accountActions({
  sources: { core },
  drafts,
}: Pick<ActionContext, 'drafts'> & {
  sources: { core: Pick<Core, 'request' | 'session' | 'work'> };
}): AccountActions {
  const client = serverClient(core, tables);
  const send = proofSender(client);
  const ownParams = () => {
    const { user } = core.session.current();
    if (user === null) throw impossible('Sign in first');
    return { userid: String(user.userid) };
  };
  const change = async (edit: ProfileEdit, proof: Parameters<typeof send>[0]): Promise<void> => {
    const params = ownParams();
    await send(proof, (body) => client.users.patch({ params, body: { ...edit, ...body } }));
  };
  return {
    mustSetPassword: async () => (await client.users.own({})).must_set_password === true,
    changePassword: (password, proof) => change({ password }, proof),
    changeAddress: (email, proof) => change({ email }, proof),
    mailLanguage: async () => (await client.users.own({})).langid ?? 'en',
    async changeMailLanguage(langid) {
      await client.users.patch({ params: ownParams(), body: { langid } });
    },
    listSignIns: (userid) => client.sessions.list({ params: { userid } }),
    async endSignIn(userid, sessionid) {
      await client.sessions.end({ params: { userid, sessionid } });
    },
    async actAs(userid) {
      const { server } = core.session.current();
      if (server === null) throw impossible('Sign in first');
      await drafts.flush();
      await core.session.signIn(server, { impersonate: userid });
    },
    async deviceSecret(device, known = []) {
      const owner = core.work.owner();
      if (owner === null || owner.account === null) return null;
      const { account } = owner;
      const { origin } = new URL(owner.origin);
      if (known.some((one) => one.account === account && one.origin === origin)) return null;
      const secret = await fetchDeviceSecret(core.request, device);
      return secret === null ? null : { origin, account, secret };
    },
    async endOtherSignIns(userid) {
      await client.sessions.endOthers({ params: { userid } });
    },
  };
}
