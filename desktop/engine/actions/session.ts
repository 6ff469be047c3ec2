import type { Actions } from '../api.ts';
import type { ActionContext } from './calls.ts';

export function sessionActions({
  sources,
  drafts,
}: ActionContext): Pick<Actions, 'signIn' | 'signOut' | 'noteLossSeen' | 'syncNow'> {
  const { session, sync } = sources.core;
  return {
    async signIn(server, email, password) {
      await drafts.flush();
      await session.signIn(server, email, password);
    },
    async signOut() {
      await drafts.flush();
      await session.signOut();
    },
    noteLossSeen: () => session.noteLossSeen(),
    syncNow: () => sync.now(),
  };
}
