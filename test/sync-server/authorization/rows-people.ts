import type { site, sites } from '#shared/api/site.ts';
import type { accounts } from '#shared/api/accounts.ts';
import type { teams } from '#shared/api/teams.ts';
import type { setup } from '#shared/api/setup.ts';
import type { deviceSecrets, passwordReset, sessions, tokens } from '#shared/api/tokens.ts';
import type { users } from '#shared/api/users.ts';
import type { webhooks } from '#shared/api/webhooks.ts';

import {
  administrators,
  authors,
  everybody,
  guideUse,
  oddForAdministrators,
  own,
  signedIn,
  type Cell,
  type Row,
} from './row.ts';
import type { RowsOf } from './table.ts';
import type { Ids } from './roles.ts';

export const tokenRows: RowsOf<typeof tokens> = {
  create: { expect: { any: everybody(422) } },
  impersonate: {
    expect: { any: administrators(201) },
    body: ({ world }: Cell) => ({ userid: world.helper.userid }),
  },
  remove: {
    expect: { any: signedIn(204) },
    fresh: async ({ world, role }) => ({ token: await world.token(role) }),
  },
};

export const passwordResetRows: RowsOf<typeof passwordReset> = {
  request: { expect: { any: everybody(422) } },
  confirm: { expect: { any: everybody(422) } },
};

const sessionsOf: Row['expect'] = { own: own(200, 403), public: administrators(200) };
const endsSessions: Row['expect'] = { own: own(204, 403), public: administrators(204) };

export const sessionRows: RowsOf<typeof sessions> = {
  list: { expect: sessionsOf },
  end: {
    expect: endsSessions,
    ids: () => ({ sessionid: 'none' }),
    fresh: async ({ world, role, ownership }) => {
      const userid = (ownership === 'own' ? world.person(role) : world.helper).userid;
      return { ids: { userid, sessionid: await world.session(userid) } };
    },
  },
  endOthers: {
    expect: endsSessions,
    ids: ({ world, role, ownership }) => ({
      userid: (ownership === 'own' ? world.person(role) : world.helper).userid,
    }),
  },
};

export const deviceSecretRows: RowsOf<typeof deviceSecrets> = {
  obtain: {
    expect: { any: '401 200 200 200 200 200 403' },
    body: { device: '3f1c9a52-6e0b-4c57-8d21-9b7a4e5f6c30' },
    // A session that has just begun, however long this table takes.
    fresh: async ({ world, role }) => ({ token: await world.token(role) }),
  },
};

const profile: Row = { expect: { own: own(200), public: everybody(200) } };
const mine: Row = { expect: { any: signedIn(200) } };
const found: Row['expect'] = { own: own(200, 403), public: administrators(200) };

const newPerson = (world: Cell['world']) => ({
  email: `new${world.next()}@example.com`,
  username: 'New',
  password: 'a long password',
});

export const accountRows: RowsOf<typeof accounts> = {
  list: { expect: { any: administrators(200) } },
  invite: [
    { expect: { public: administrators(422) }, body: { by: 'code' } },
    {
      expect: { public: administrators(200) },
      body: { by: 'code', current_password: 'a long password' },
    },
  ],
  redeem: {
    expect: { any: everybody(422) },
    body: { code: 'AAAAA-AAAAA', password: 'a long password' },
  },
  sessions: { expect: { any: administrators(200) } },
  // It would end the sessions of the other cells.
  endSessions: { expect: { any: '401 403 403 403 - 403 403' } },
};

export const userRows: RowsOf<typeof users> = {
  register: [
    { expect: { any: '401 403 403 403 422 403 403' }, body: ({ world }: Cell) => newPerson(world) },
    {
      expect: { any: '401 403 403 403 201 403 403' },
      body: ({ world }: Cell) => ({ ...newPerson(world), current_password: 'a long password' }),
    },
  ],
  list: { expect: { any: everybody(200) } },
  search: { expect: { any: everybody(200) } },
  searchNames: { expect: { any: everybody(200) } },
  bySso: { expect: found },
  byEmail: { expect: found },
  badges: profile,
  ownBadges: mine,
  own: mine,
  read: profile,
  patch: [
    { expect: { own: own(200, 403), public: administrators(200) }, body: { location: 'Hall 2' } },
    {
      expect: { own: '- 403 403 403 200 403 403' },
      body: { sso_userid: null, current_password: 'a long password' },
    },
    { expect: { own: '- 403 403 403 422 403 403' }, body: { privileges: 'Admin' } },
  ],
  flags: mine,
  ownGuides: mine,
  guides: profile,
  ownFavorites: mine,
  favorites: profile,
  favorite: { expect: guideUse(204) },
  unfavorite: { expect: guideUse(204) },
  ownCompletions: mine,
  completions: profile,
};

/** For the owner of a team and administrators; `public`: a team to which no role belongs. */
const manage = { team: '401 403 403 403 200 200 403', public: administrators(200) };

const member: NonNullable<Row['fresh']> = async ({ world, ids }) => {
  await world.admin('PUT', `/teams/${ids['teamid']}/users/${world.helper.userid}`, {});
  return { ids: { userid: world.helper.userid } };
};
/** A person who is always in the team. */
const itsOwner: NonNullable<Row['ids']> = ({ world, ownership }) => ({
  userid: world.person(ownership === 'team' ? 'owner' : 'writer').userid,
});

const joinCode = 'grind-4711';
/** A team with a join code, and the caller. */
const closedTeam: NonNullable<Row['fresh']> = async (cell) => {
  const { world } = cell;
  const team = { name: `Team ${world.next()}`, owner: world.helper.userid, join_code: joinCode };
  const { teamid } = await world.admin<{ teamid: number }>('POST', '/teams', team);
  return { ids: { ...itself(cell), teamid } };
};
const itself = ({ world, role }: Cell): Ids => ({
  userid: world.person(role).userid,
  teamid: world.otherTeam,
});

export const teamRows: RowsOf<typeof teams> = {
  list: { expect: { any: everybody(200) } },
  members: { expect: { team: everybody(200), public: everybody(200) } },
  attributes: { expect: { team: everybody(200), public: everybody(200) } },
  read: { expect: { team: everybody(200), public: everybody(200) } },
  courseAssignments: { expect: { team: '401 200 403 403 200 200 403', public: administrators(200) } },
  addMember: [
    { expect: manage, body: {}, ids: ({ world }) => ({ userid: world.helper.userid }) },
    // Joining by the code of the team.
    { expect: { own: own(200, 403) }, body: { join_code: joinCode }, ids: itself, fresh: closedTeam },
    {
      expect: { own: administrators(200).replace('401', '-') },
      body: { join_code: 'a wrong code' },
      ids: itself,
      fresh: closedTeam,
    },
  ],
  removeMember: {
    expect: manage,
    ids: itsOwner,
    fresh: member,
  },
  create: [
    { expect: { any: authors(201) }, body: ({ world }: Cell) => ({ name: `Team ${world.next()}` }) },
    { expect: { any: oddForAdministrators }, body: { owner: 'somebody' } },
  ],
  patch: { expect: manage, body: { location: 'Hall 2' } },
  remove: {
    expect: { team: '401 403 403 403 204 204 403', public: administrators(204) },
    fresh: async ({ world, ownership }) => ({
      ids: { teamid: await world.team(ownership === 'team' ? 'owner' : 'writer') },
    }),
  },
};

const open: Row = { expect: { any: everybody(200) } };

export const sitesRows: RowsOf<typeof sites> = { info: open, infoShort: open, list: open };

/** The site has an administrator, so nobody can set it up again. */
export const setupRows: RowsOf<typeof setup> = {
  read: open,
  begin: {
    expect: { any: everybody(403) },
    body: {
      code: 'abcd',
      title: 'Site',
      username: 'Eve',
      email: 'eve@example.com',
      password: 'a long password',
    },
  },
  listBackups: { expect: { any: everybody(403) }, body: { code: 'abcd', folder: '/' } },
  restore: { expect: { any: everybody(403) }, body: { code: 'abcd', folder: '/', backup: 'x' } },
};

export const siteRows: RowsOf<typeof site> = {
  read: { expect: { any: administrators(200) } },
  patch: { expect: { any: administrators(422) } },
  status: { expect: { any: administrators(200) } },
  jobs: { expect: { any: administrators(200) } },
  // The server of these tests has neither a folder for backups nor a mail server.
  backUp: { expect: { any: administrators(422) } },
  testMail: { expect: { any: administrators(422) } },
  appIds: { expect: { any: administrators(200) } },
  issueAppId: { expect: { any: administrators(201) }, body: { name: 'App' } },
  revokeAppId: {
    expect: { any: administrators(204) },
    fresh: async ({ world }) => {
      const made = await world.admin<{ appid: string }>('POST', '/site/app_ids', { name: 'App' });
      return { ids: { appid: made.appid } };
    },
  },
};

export const webhookRows: RowsOf<typeof webhooks> = {
  list: { expect: { any: administrators(200) } },
  create: { expect: { any: administrators(422) } },
  read: { expect: { any: administrators(200) } },
  patch: { expect: { any: administrators(422) } },
  remove: {
    expect: { any: administrators(204) },
    fresh: async ({ world }) => ({ ids: { webhookid: await world.webhook() } }),
  },
  secret: { expect: { any: administrators(200) } },
  test: { expect: { any: administrators(202) } },
  deliveries: { expect: { any: administrators(200) } },
  replay: { expect: { any: administrators(202) } },
  replayDead: { expect: { any: administrators(202) } },
};
