import type { SetupActions } from '#desktop/engine/api/setup.ts';
import { forbidden } from '#shared/api/problem.ts';

import type { World, WorldOptions } from './fixture-world.ts';

const code = 'abcd-efgh-jkmn';

/** Setting up a server, in the fixture's world. A restore takes one look at the state of the server. */
export function setupActions(
  change: (make: (now: World) => Partial<World>) => void,
  options: WorldOptions,
): SetupActions {
  const state = { needed: options.emptyServer === true, restoring: false };
  const check = (given: string): void => {
    if (given !== code) throw forbidden('The code is wrong. It is in the output of the server');
  };
  return {
    async setupState() {
      const now = { ...state };
      if (state.restoring) Object.assign(state, { needed: false, restoring: false });
      return now;
    },
    async setUp(server, site) {
      check(site.code);
      const user = { userid: 1, username: site.username, privileges: ['User', 'Admin'] };
      change((now) => ({ session: { ...now.session, server, user, status: 'signed-in' } }));
    },
    async findBackups(_server, source) {
      check(source.code);
      return {
        folder: source.folder ?? '/mnt/backup',
        backups: [
          {
            name: '2026-11-25T03-00-00Z',
            made_date: 1_795_575_600,
            site: 'North plant',
            size: 1_204_000_000,
          },
          {
            name: '2026-11-24T03-00-00Z',
            made_date: 1_795_489_200,
            site: 'North plant',
            size: 1_203_000_000,
          },
        ],
        older: 2,
        encrypted: false,
        failure: null,
      };
    },
    async restoreBackup(_server, source) {
      check(source.code);
      state.restoring = true;
    },
  };
}
