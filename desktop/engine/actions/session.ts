import { Problem } from '#shared/api/problem.ts';
import { signOnSessions } from '#shared/api/sign-on.ts';
import { sites } from '#shared/api/site.ts';
import { passwordReset } from '#shared/api/tokens.ts';

import type { CoreActions } from '../api/engine.ts';
import { supportFile } from '../journal/damage.ts';
import { finishRemovals } from '../features/leaving/removal.ts';
import { supportLog } from '../account/log-text.ts';
import { serverAddress } from '../account/sign-in-request.ts';
import type { ActionContext } from '../features/action-context.ts';
import { directClient } from './server-client.ts';

/** Actions to sign in and out, and for support. */
export type SessionActions = Pick<
  CoreActions,
  | 'signIn'
  | 'signInProvider'
  | 'beginSignIn'
  | 'signInWithCode'
  | 'forgotPassword'
  | 'resetPassword'
  | 'signOut'
  | 'noteLossSeen'
  | 'supportFile'
  | 'supportLog'
  | 'syncNow'
>;

export function sessionActions({ sources, drafts, media, archives }: ActionContext): SessionActions {
  const { environment, session, sync } = sources.core;
  const clientOf = (server: string) =>
    directClient(environment, serverAddress(server), { passwordReset, signOnSessions, sites });
  return {
    async signIn(server, email, password, apart) {
      await drafts.flush();
      await session.signIn(server, { email, password }, apart);
    },
    async signInProvider(server) {
      const { authentication } = await clientOf(server).sites.info({});
      // Earlier servers do not return it.
      return authentication['sign-in'] ?? null;
    },
    async beginSignIn(server, returnTo) {
      const verifier = base64url(environment.randomBytes(32));
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
      const challenge = base64url(new Uint8Array(digest));
      const { url, return_to } = await clientOf(server).signOnSessions.begin({
        body: { challenge, ...(returnTo === null ? {} : { return_to: returnTo }) },
      });
      if (!/^https?:\/\//i.test(url))
        throw new Problem('unavailable', 'The server names no web address of an identity provider');
      return { url, returnTo: return_to, verifier };
    },
    async signInWithCode(server, code, verifier, apart) {
      await drafts.flush();
      await session.signIn(server, { code, verifier }, apart);
    },
    async forgotPassword(server, email) {
      await clientOf(server).passwordReset.request({ body: { email } });
    },
    async resetPassword(server, token, password) {
      await clientOf(server).passwordReset.confirm({ body: { token, password } });
    },
    async signOut(library) {
      await drafts.flush();
      await session.signOut(library);
      await finishRemovals({ sources, media, archives });
    },
    noteLossSeen: () => session.noteLossSeen(),
    supportLog: () => supportLog(sources.core),
    async supportFile() {
      const { journal, homes, work } = sources.core;
      const [home, owner] = [work.home(), work.owner()];
      const own = home === null || owner === null ? null : { ...owner, home };
      return supportFile(journal, environment.now(), (await homes.count()) > 1 ? { own } : null);
    },
    syncNow: () => sync.now(),
  };
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
