import type { SessionActions } from '#desktop/engine/actions/session.ts';
import { invalid, Problem } from '#shared/api/problem.ts';

import { UnprovedServer } from '#desktop/engine/account/unproved-server.ts';

import type { World, WorldOptions } from './fixture-world.ts';

/** Signing in and out, in the fixture's world. */
export function sessionActions(
  change: (make: (now: World) => Partial<World>) => void,
  options: WorldOptions,
): Omit<SessionActions, 'syncNow'> {
  return {
    async signIn(server, email, _password, apart) {
      if (options.unproved === true && apart !== true)
        throw new UnprovedServer(server, 'http://bench.local:4020', 4, 'origin-not-named');
      if (options.refuseSignIn !== undefined)
        throw new Problem('unauthorized', options.refuseSignIn, {
          code: options.refuseSignInCode ?? 'unauthorized',
        });
      const user = { userid: 9101, username: email, privileges: [] };
      change((now) => ({
        session: { ...now.session, server, user, status: 'signed-in' },
        sync: { ...now.sync, needsSignIn: false },
      }));
    },
    signInProvider: async () => options.provider ?? null,
    beginSignIn: async (_server, returnTo) => ({
      url: 'https://identity.example.org/sso?SAMLRequest=x',
      returnTo: returnTo ?? 'https://guides.example.org/sign-in',
      verifier: 'kept on this device',
    }),
    async signInWithCode(server, code, _verifier, apart) {
      if (options.unproved === true && apart !== true)
        throw new UnprovedServer(server, 'http://bench.local:4020', 4, 'origin-not-named');
      change((now) => ({
        session: {
          ...now.session,
          server,
          user: { userid: 9101, username: code, privileges: [] },
          status: 'signed-in',
        },
      }));
    },
    forgotPassword: () => Promise.resolve(),
    async resetPassword(_server, token) {
      if (token === 'used')
        throw invalid('token', 'This link was already used or has expired. Request a new one');
    },
    async signOut() {
      change((now) => ({ session: { ...now.session, user: null, home: null, status: 'signed-out' } }));
    },
    async noteLossSeen() {
      change((now) => ({ session: { ...now.session, loss: null, damage: null } }));
    },
    supportLog: async () => ({ filename: 'log.txt', text: 'start' }),
    supportFile: async () => ({ filename: 'support.json', json: '{}' }),
  };
}
