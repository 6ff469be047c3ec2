import { afterAll, beforeAll, expect, test } from 'vitest';

import { contextForJob } from '#server/core/job.ts';
import { hashToken } from '#server/core/sessions.ts';
import { accessChangesAfter, newestAccessChange } from '#server/storage/access-changes.ts';
import type { Db } from '#server/storage/tables.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let teamid: number;
beforeAll(async () => {
  server = await startServer();
  ana = await server.person('Ana');
  ben = await server.person('Ben');
  teamid = await inTx(async (tx) => {
    const team = { name: 'Team', description: '', created_date: 1 };
    const made = await tx.insertInto('teams').values(team).returning('teamid').executeTakeFirstOrThrow();
    return made.teamid;
  });
});
afterAll(() => server[Symbol.asyncDispose]());

function inTx<T>(work: (tx: Db) => Promise<T>): Promise<T> {
  return contextForJob(server.services, null, (ctx) => work(ctx.db));
}

const token = (): string => hashToken(ana.token);

/** Statements that change what Ana's session may do, or end it; the last one leaves nothing of it. */
const statements: Record<string, (tx: Db) => Promise<unknown>> = {
  'a role is given': (tx) =>
    tx
      .updateTable('users')
      .set({ privileges: '["User","Admin"]' })
      .where('userid', '=', ana.userid)
      .execute(),
  'an account is disabled': (tx) =>
    tx.updateTable('users').set({ enabled: 0 }).where('userid', '=', ana.userid).execute(),
  'a person joins a team': (tx) =>
    tx.insertInto('team_members').values({ teamid, userid: ana.userid, joined_date: 1 }).execute(),
  'a person becomes the lead of a team': (tx) =>
    tx.updateTable('teams').set({ owner: ana.userid }).where('teamid', '=', teamid).execute(),
  'another becomes the lead of the team': (tx) =>
    tx.updateTable('teams').set({ owner: ben.userid }).where('teamid', '=', teamid).execute(),
  'a team is deleted with its members': (tx) =>
    tx.deleteFrom('team_members').where('teamid', '=', teamid).execute(),
  'a station gets a member': async (tx) => {
    await tx
      .insertInto('stations')
      .values({ stationid: ana.userid, place: '', settings: '{}', created_date: 1 })
      .execute();
    const member = { stationid: ana.userid, userid: ben.userid, since: 1, until: null };
    await tx.insertInto('station_members').values(member).execute();
  },
  'a member leaves a station': (tx) =>
    tx.updateTable('station_members').set({ until: 2 }).where('stationid', '=', ana.userid).execute(),
  'an administrator acts as somebody': (tx) =>
    tx.updateTable('tokens').set({ impersonator: ben.userid }).where('token_hash', '=', token()).execute(),
  'the administrator loses the role': (tx) =>
    tx.updateTable('users').set({ privileges: '["User"]' }).where('userid', '=', ben.userid).execute(),
  'a session is shortened': (tx) =>
    tx.updateTable('tokens').set({ expires_date: 1 }).where('token_hash', '=', token()).execute(),
  'a session ends': (tx) => tx.deleteFrom('tokens').where('token_hash', '=', token()).execute(),
};
for (const [what, statement] of Object.entries(statements))
  test(`EVENT-6 when ${what}, it is noted for the streams of that person`, async () => {
    const db = server.services.storage.reader;
    const before = await newestAccessChange(db);
    await inTx(statement);
    const noted = await accessChangesAfter(db, before);
    expect(noted.map(({ userid }) => userid)).toContain(ana.userid);
  });

test('EVENT-6 mere use of a session is not noted', async () => {
  const db = server.services.storage.reader;
  const before = await newestAccessChange(db);
  await inTx((tx) =>
    tx
      .updateTable('tokens')
      .set({ used_date: 9, expires_date: 9_999_999_999 })
      .where('userid', '=', ben.userid)
      .execute(),
  );
  expect(await accessChangesAfter(db, before)).toEqual([]);
});
