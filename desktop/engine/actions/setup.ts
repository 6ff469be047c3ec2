import { setup } from '#shared/api/setup.ts';

import { serverAddress } from '../account/sign-in-request.ts';
import type { SetupActions } from '../api/setup.ts';
import type { ActionContext } from '../features/action-context.ts';
import { directClient } from './server-client.ts';

/** Actions to set up an empty server. */
export function setupActions({ sources, drafts }: ActionContext): SetupActions {
  const { environment, session } = sources.core;
  const clientOf = (server: string) => directClient(environment, serverAddress(server), { setup }).setup;
  return {
    setupState: (server) => clientOf(server).read({}),
    async setUp(server, site) {
      await clientOf(server).begin({ body: site });
      await drafts.flush();
      await session.signIn(server, { email: site.email, password: site.password });
    },
    findBackups: (server, source) => clientOf(server).listBackups({ body: source }),
    async restoreBackup(server, source) {
      await clientOf(server).restore({ body: source });
    },
  };
}
