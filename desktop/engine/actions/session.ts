import { createClient } from '#shared/api/client.ts';
import { passwordReset } from '#shared/api/tokens.ts';

import type { Actions } from '../api.ts';
import { serverAddress } from '../session.ts';
import type { ActionContext } from './calls.ts';

export function sessionActions({
  sources,
  drafts,
}: ActionContext): Pick<
  Actions,
  'signIn' | 'forgotPassword' | 'resetPassword' | 'signOut' | 'noteLossSeen' | 'syncNow'
> {
  const { environment, session, sync } = sources.core;
  const clientOf = (server: string) =>
    createClient({ passwordReset }, { baseUrl: serverAddress(server), fetch: environment.fetch })
      .passwordReset;
  return {
    async signIn(server, email, password) {
      await drafts.flush();
      await session.signIn(server, email, password);
    },
    async forgotPassword(server, email) {
      await clientOf(server).request({ body: { email } });
    },
    async resetPassword(server, token, password) {
      await clientOf(server).confirm({ body: { token, password } });
    },
    async signOut() {
      await drafts.flush();
      await session.signOut();
    },
    noteLossSeen: () => session.noteLossSeen(),
    syncNow: () => sync.now(),
  };
}
