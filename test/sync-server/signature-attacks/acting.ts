import { describe, expect, it } from 'vitest';

import { must } from '#shared/must.ts';
import { listAudit } from '#server/features/audit/list.ts';
import { headOf } from '#server/storage/audit/recorder.ts';
import { ok, password } from '#test/support/approvals.ts';
import { clientOf } from '#test/support/server.ts';

import {
  type Person,
  type SessionRow,
  administrator,
  benchbook,
  impersonate,
  moduleOf,
  openRequest,
  profileOf,
  shop,
  sign,
  signIn,
  signer,
} from './world.ts';

/** Acting as another person, and the list of sessions. */
export function testActing(): void {
  describe('acting as another person', () => {
    it('USER-13 changes nothing about how that person signs in, with any proof', async () => {
      const [tom, mira] = [await signer(), await administrator()];
      const call = await impersonate(mira, tom);
      for (const edit of [
        { password: 'forged password' },
        { email: 'attacker3@example.com' },
        { sso_userid: 'x' },
        { email: tom.email },
      ])
        for (const proof of [{}, { current_password: password }])
          expect((await call('PATCH', profileOf(tom), { ...edit, ...proof })).status).toBe(403);
      expect((await call('PATCH', profileOf(tom), { location: 'Graz' })).status).toBe(200);
      expect((await call('POST', '/sign_on')).status).toBe(403);
      const id = await openRequest();
      expect((await sign(call, id, password)).status).toBe(403);
      expect(
        (await call('POST', `/approvals/request/sign/${id}/token`, { decision: 'approve', token: 'x' }))
          .status,
      ).toBe(403);
    });

    it('SITE-16 is never possible as an administrator, nor as a person who becomes one meanwhile', async () => {
      const [tom, mira, noor] = [await signer(), await administrator(), await administrator()];
      expect((await mira.call('POST', '/user/token/impersonate', { userid: noor.userid })).status).toBe(403);
      expect((await mira.call('POST', '/user/token/impersonate', { userid: mira.userid })).status).toBe(403);
      const call = await impersonate(mira, tom);
      const grant = { privileges: ['User', 'Admin'], current_password: password };
      await ok(noor.call('PATCH', profileOf(tom), grant));
      expect((await call('GET', '/user')).status).toBe(401);
      expect((await call('PATCH', profileOf(mira), { enabled: false })).status).toBe(401);
    });

    it('SITE-17 ends when either person is disabled, demoted or gets a password, or the administrator signs out', async () => {
      const ends: [string, (tom: Person, mira: Person, noor: Person) => Promise<unknown>][] = [
        [
          'administrator closed',
          (_, mira, noor) => ok(noor.call('PATCH', profileOf(mira), { enabled: false })),
        ],
        ['closed by the command line', (_, mira) => benchbook('user', 'disable', mira.email)],
        ['demoted', (_, mira, noor) => ok(noor.call('PATCH', profileOf(mira), { privileges: ['User'] }))],
        [
          'made a kiosk',
          (_, mira, noor) => ok(noor.call('PATCH', profileOf(mira), { privileges: ['Admin', 'Kiosk'] })),
        ],
        ['signed out', (_, mira) => ok(mira.call('DELETE', '/user/token'))],
        [
          'own password changed',
          (_, mira) =>
            ok(
              mira.call('PATCH', profileOf(mira), {
                password: 'another one here',
                current_password: password,
              }),
            ),
        ],
        [
          'password set by another administrator',
          (_, mira, noor) =>
            ok(
              noor.call('PATCH', profileOf(mira), {
                password: 'another one here',
                current_password: password,
              }),
            ),
        ],
        ['their session ended', (_, mira, noor) => ok(noor.call('DELETE', `${profileOf(mira)}/sessions`))],
        ['person closed', (tom, _, noor) => ok(noor.call('PATCH', profileOf(tom), { enabled: false }))],
        [
          'person gets a password',
          (tom, _, noor) =>
            ok(
              noor.call('PATCH', profileOf(tom), {
                password: 'another one here',
                current_password: password,
              }),
            ),
        ],
        [
          'person changes their password',
          (tom) =>
            ok(
              tom.call('PATCH', profileOf(tom), { password: 'another one here', current_password: password }),
            ),
        ],
        ['person ends their other sessions', (tom) => ok(tom.call('DELETE', `${profileOf(tom)}/sessions`))],
      ];
      for (const [what, end] of ends) {
        const [tom, mira, noor] = [await signer(), await administrator(), await administrator()];
        const call = await impersonate(mira, tom);
        expect((await call('GET', '/user')).status, what).toBe(200);
        await end(tom, mira, noor);
        expect((await call('GET', '/user')).status, what).toBe(401);
        expect((await call('PATCH', profileOf(tom), { location: 'Graz' })).status, what).toBe(401);
      }
    });

    it('SITE-17 a disabled administrator cannot return through it, and nothing revives it', async () => {
      const [tom, mira, noor] = [await signer(), await administrator(), await administrator()];
      const call = await impersonate(mira, tom);
      await ok(noor.call('PATCH', profileOf(mira), { privileges: ['User'] }));
      await ok(
        noor.call('PATCH', profileOf(mira), { privileges: ['User', 'Admin'], current_password: password }),
      );
      expect((await call('GET', '/user')).status).toBe(401);
    });

    it('SITE-18 is visible in the own record, in the list of sessions, and in every audit row', async () => {
      const [tom, mira] = [await signer(['User', 'Author']), await administrator()];
      const made = await ok<{ authToken: string; impersonator: unknown }>(
        mira.call('POST', '/user/token/impersonate', { userid: tom.userid }),
      );
      const who = { userid: mira.userid, username: expect.stringMatching(/^Admin/) };
      expect(made.impersonator).toEqual(who);
      const call = clientOf(shop.server.url, made.authToken);
      expect(await ok(call('GET', '/user'))).toMatchObject({ impersonator: who });
      expect(await ok(tom.call('GET', '/user'))).not.toHaveProperty('impersonator');
      expect(await ok(tom.call('GET', `${profileOf(tom)}/sessions`))).toContainEqual(
        expect.objectContaining({ impersonator: who, is_current: false }),
      );
      const { body: team } = await shop.mira.call('POST', '/teams', {
        name: `Closed ${tom.userid}`,
        join_code: 'right code',
        owner: shop.quinn.userid,
      });
      const { teamid } = team as { teamid: number };
      const membership = `/teams/${teamid}/users/${tom.userid}`;
      expect((await call('PUT', membership, { join_code: 'wrong code' })).status).toBe(403);
      expect((await call('PUT', membership, { join_code: 'right code' })).status).toBeLessThan(300);
      expect((await call('POST', '/user/token/impersonate', { userid: shop.tia.userid })).status).toBe(403);
      const guide = { category: 'Workshop', type: 'repair', title: 'By another', steps: [] };
      expect((await call('POST', '/guides', guide)).status).toBe(201);
      expect((await call('DELETE', '/user/token')).status).toBe(204);
      const rows = await listAudit(
        shop.server.services.storage.reader,
        { userid: tom.userid },
        { limit: 50, offset: 0 },
      );
      const since = rows.filter(({ action }) => !/impersonate/.test(action)).slice(0, 5);
      expect(since.map(({ action }) => action)).toContain('DELETE /user/token');
      expect(since.filter(({ impersonator }) => impersonator !== mira.userid)).toEqual([]);
    });

    it('SITE-18 background jobs name the administrator who started them', async () => {
      const [tom, mira] = [await signer(['User', 'Author']), await administrator()];
      await shop.server.jobs.idle();
      const { seq: before } = await headOf(shop.server.services.storage.reader);
      const call = await impersonate(mira, tom);
      const guide = await ok<{ guideid: number }>(
        call('POST', '/guides', { category: 'Workshop', type: 'repair', title: 'Kept', steps: [] }),
      );
      await ok(call('POST', '/omanual/archives', { guideids: [guide.guideid] }));
      await shop.server.jobs.idle();
      const rows = await listAudit(
        shop.server.services.storage.reader,
        { since: 0 },
        { limit: 200, offset: 0 },
      );
      const ofJob = rows.filter(({ seq, action }) => seq > before && /^job |archives/.test(action));
      expect(ofJob.length).toBeGreaterThan(0);
      expect(ofJob.filter(({ impersonator }) => impersonator !== mira.userid)).toEqual([]);
    });

    it('SITE-18 opens no training module, whose reports would not name the administrator', async () => {
      const [tom, mira] = [await signer(['User', 'Author', 'Moderator']), await administrator()];
      const call = await impersonate(mira, tom);
      const docid = await moduleOf(mira);
      const stages = [{ doctype: 'external_training_module', docid }];
      const course = await ok<{ courseid: number }>(
        mira.call('POST', '/courses', { title: 'Lockout', stages }),
      );
      await ok(mira.call('POST', `/courses/${course.courseid}/assignments`, { userid: tom.userid }));
      const player = `/external_training_modules/${docid}/player`;
      expect((await tom.call('GET', player)).status).toBe(200);
      expect((await call('GET', player)).status).toBe(403);
    });
  });

  describe('sessions', () => {
    it('USER-16 people list and end their own sessions, and administrators those of others', async () => {
      const [tom, lea, mira] = [await signer(), await signer(), await administrator()];
      const path = `${profileOf(tom)}/sessions`;
      const other = must(await signIn(tom.email, password), 'a session');
      const third = await shop.server.session(tom);
      const sessions = await ok<SessionRow[]>(other('GET', path));
      expect(sessions).toHaveLength(3);
      expect(sessions.filter((one) => one.is_current)).toMatchObject([
        { address: '127.0.0.1', device: 'node', impersonator: null, created_date: expect.any(Number) },
      ]);
      expect(JSON.stringify(sessions)).not.toContain('bb_');
      const rows = await shop.server.services.storage.reader
        .selectFrom('tokens')
        .select('token_hash')
        .where('userid', '=', tom.userid)
        .execute();
      for (const { token_hash } of rows) expect(JSON.stringify(sessions)).not.toContain(token_hash);
      // No other person can do it, and nobody with the id of another person's session.
      expect((await lea.call('GET', path)).status).toBe(403);
      expect((await lea.call('DELETE', path)).status).toBe(403);
      const ofTom = must(
        sessions.find((one) => !one.is_current),
        'another session',
      ).sessionid;
      expect((await lea.call('DELETE', `${profileOf(lea)}/sessions/${ofTom}`)).status).toBe(404);
      expect((await lea.call('DELETE', `${path}/${ofTom}`)).status).toBe(403);
      const current = must(
        (await ok<SessionRow[]>(third('GET', path))).find((one) => one.is_current),
        'the current session',
      );
      expect((await other('DELETE', `${path}/${current.sessionid}`)).status).toBe(204);
      expect((await third('GET', '/user')).status).toBe(401);
      expect((await other('DELETE', `${path}/${current.sessionid}`)).status).toBe(404);
      expect((await other('DELETE', path)).status).toBe(204);
      expect((await tom.call('GET', '/user')).status).toBe(401);
      expect((await other('GET', '/user')).status).toBe(200);
      expect(await ok<SessionRow[]>(mira.call('GET', path))).toHaveLength(1);
      expect((await mira.call('DELETE', path)).status).toBe(204);
      expect((await other('GET', '/user')).status).toBe(401);
      expect((await mira.call('GET', '/user')).status).toBe(200);
    });

    it('USER-16 an event stream ends with its session', async () => {
      const tom = await signer();
      const stream = await fetch(`${shop.server.url}/sync/1/events?since=0.0&protocol=5`, {
        headers: { Authorization: `api ${tom.token}` },
      });
      expect(stream.status).toBe(200);
      const done = stream.text();
      const other = await shop.server.session(tom);
      expect((await other('DELETE', `${profileOf(tom)}/sessions`)).status).toBe(204);
      // A write wakes it.
      await ok(other('PATCH', profileOf(tom), { location: 'Graz' }));
      expect(await done).toContain('event: head');
    });
  });
}
