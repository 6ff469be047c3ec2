import { describe, expect, it } from 'vitest';

import { must } from '#shared/must.ts';
import { listAudit } from '#server/features/audit/list.ts';
import { ok, password } from '#test/support/approvals.ts';
import { soon } from '#test/support/soon.ts';

import {
  administrator,
  attackers,
  benchbook,
  mail,
  needsProof,
  noMails,
  openRequest,
  profileOf,
  shop,
  sign,
  signIn,
  signOnToken,
  signatures,
  signer,
  stopClock,
} from './world.ts';

/** Changes of how a person signs in, with a session alone and with a proof of identity. */
export function testProofs(): void {
  describe('a session without a proof', () => {
    it('USER-13 sets no password with which it could sign', async () => {
      const tom = await signer();
      const id = await openRequest();
      for (const secret of [undefined, 'not the password', ''])
        expect(
          await tom.call('PATCH', profileOf(tom), { password: 'forged password', current_password: secret }),
        ).toMatchObject({ status: 422, body: { errors: [{ field: 'current_password' }] } });
      expect((await sign(tom, id, 'forged password')).status).toBe(422);
      expect(await signIn(tom.email, 'forged password')).toBeUndefined();
      expect(await signatures(id)).toBe(0);
      expect(
        (
          await tom.call('PATCH', profileOf(tom), {
            password: 'a password of my own',
            current_password: password,
          })
        ).status,
      ).toBe(200);
      expect((await sign(tom, id, 'a password of my own')).status).toBe(200);
    });

    it('USER-13 changes no address to receive a link for a new password', async () => {
      const tom = await signer();
      expect(await tom.call('PATCH', profileOf(tom), { email: 'attacker@example.com' })).toMatchObject(
        needsProof,
      );
      await noMails();
      await fetch(`${shop.server.url}/api/2.0/users/reset_password`, {
        method: 'POST',
        body: JSON.stringify({ email: 'attacker@example.com' }),
      });
      await new Promise((resolve) => setImmediate(resolve));
      await shop.server.services.mailer.idle();
      expect(mail.mails).toEqual([]);
      // An unchanged value needs no proof: clients send whole profiles.
      expect((await tom.call('PATCH', profileOf(tom), { email: tom.email, location: 'Graz' })).status).toBe(
        200,
      );
    });

    it("USER-13 of an administrator sets nobody's password, address or single sign-on id", async () => {
      const [tom, mira] = [await signer(), await administrator()];
      const id = await openRequest();
      for (const edit of [
        { password: 'forged password' },
        { email: 'attacker2@example.com' },
        { sso_userid: 'attacker@corp' },
      ])
        for (const person of [tom, mira])
          expect(await mira.call('PATCH', profileOf(person), edit)).toMatchObject(needsProof);
      expect(await signIn(tom.email, 'forged password')).toBeUndefined();
      expect((await sign(tom, id, 'forged password')).status).toBe(422);
    });

    it('USER-13 of an administrator makes nobody an administrator, who could then set passwords', async () => {
      const mira = await administrator();
      const made = await ok<{ userid: number; authToken: string }>(
        mira.call('POST', '/users', {
          email: 'accomplice@example.com',
          username: 'Accomplice',
          password: 'known password',
          current_password: password,
        }),
      );
      const grant = { privileges: ['User', 'Admin'] };
      expect(await mira.call('PATCH', profileOf(made), grant)).toMatchObject(needsProof);
      // An administrator remains one without a proof, and other privileges need none.
      expect((await mira.call('PATCH', profileOf(mira), grant)).status).toBe(200);
      expect((await mira.call('PATCH', profileOf(made), { privileges: ['Author'] })).status).toBe(200);
      expect(
        (await mira.call('PATCH', profileOf(made), { ...grant, current_password: password })).status,
      ).toBe(200);
    });

    it('USER-13 of an administrator changes neither identity provider nor mail server nor address of the site', async () => {
      const mira = await administrator();
      const tom = await signer();
      await ok(
        mira.call('PATCH', profileOf(tom), { sso_userid: `${tom.email}@corp`, current_password: password }),
      );
      const sign_on = { entry_point: attackers.entryPoint, certificates: [attackers.certificate] };
      const smtp = { host: '127.0.0.1', port: 1, from: 'attacker@example.com' };
      for (const edit of [
        { sign_on },
        { sign_on: null },
        { smtp },
        { smtp: null, address: null, sign_on: null },
        { address: 'https://attacker.example.org' },
      ])
        expect(await mira.call('PATCH', '/site', edit)).toMatchObject(needsProof);
      expect((await mira.call('PATCH', '/site', { title: 'Presses' })).status).toBe(200);
      expect(
        (await mira.call('PATCH', '/site', { address: 'https://guides.example.org', title: 'Guides' }))
          .status,
      ).toBe(200);
      expect(
        (
          await mira.call('PATCH', '/site', {
            address: 'https://guides.example.org',
            smtp: null,
            current_password: 'no',
          })
        ).status,
      ).toBe(422);
    });

    it('USER-13 has no additional rights in a batch', async () => {
      const tom = await signer();
      const response = await fetch(`${shop.server.url}/sync/1/batch`, {
        method: 'POST',
        headers: { Authorization: `api ${tom.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          protocol: 5,
          calls: [
            {
              id: '0190c0de-0000-7000-8000-000000000001',
              lane: 'person',
              method: 'PATCH',
              path: profileOf(tom),
              body: { password: 'forged password' },
            },
          ],
        }),
      });
      expect(await response.text()).toContain('"status":422');
      expect(await signIn(tom.email, 'forged password')).toBeUndefined();
    });

    it('USER-13 cannot guess the password: wrong ones count with those of signing', async () => {
      const tom = await signer();
      const id = await openRequest();
      // The first waiting time is a second.
      stopClock(Date.now());
      for (let count = 0; count < 5; count += 1) {
        const change = { password: 'forged password', current_password: `guess ${count}` };
        expect((await tom.call('PATCH', profileOf(tom), change)).status).toBe(422);
        expect((await sign(tom, id, `guess ${count}`)).status).toBe(422);
      }
      const change = { password: 'forged password', current_password: password };
      expect((await tom.call('PATCH', profileOf(tom), change)).status).toBe(429);
      expect((await sign(tom, id, password)).status).toBe(429);
      stopClock(undefined);
      const [row] = await listAudit(
        shop.server.services.storage.reader,
        { action: 'PATCH /users/{userid}' },
        { limit: 1, offset: 0 },
      );
      expect(row).toMatchObject({ outcome: 'refused', userid: tom.userid });
      expect(JSON.stringify(row)).not.toContain('guess');
    });

    it('USER-13 cannot replay an idempotency key instead of a proof', async () => {
      const tom = await signer();
      const key = { 'Idempotency-Key': '0190c0de-0000-7000-8000-000000000002' };
      const mine = { password: 'a password of my own', current_password: password };
      expect((await tom.call('PATCH', profileOf(tom), mine, key)).status).toBe(200);
      expect((await tom.call('PATCH', profileOf(tom), { password: 'forged password' }, key)).status).toBe(
        422,
      );
      expect(await signIn(tom.email, 'forged password')).toBeUndefined();
      const rows = await shop.server.services.storage.reader.selectFrom('idempotency').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(password);
    });
  });

  describe('with a proof of identity', () => {
    it('USER-13 a fresh single sign-on works too, once and for its person', async () => {
      const [tom, mira] = [await signer(), await administrator()];
      const nameId = `${tom.email}@sso`;
      await ok(mira.call('PATCH', profileOf(tom), { sso_userid: nameId, current_password: password }));
      const again = must(await signIn(tom.email, password), 'a session');
      const token = await signOnToken({ ...tom, call: again }, nameId);
      const edit = { password: 'a password of my own', sign_on_token: token };
      expect(await mira.call('PATCH', profileOf(tom), edit)).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'sign_on_token' }] },
      });
      expect((await again('PATCH', profileOf(tom), edit)).status).toBe(200);
      expect((await again('PATCH', profileOf(tom), edit)).status).toBe(422);
      expect(await signIn(tom.email, 'a password of my own')).toBeDefined();
    });

    it('USER-14 other sessions and their signing tokens end, and the previous address is notified', async () => {
      const [tom, mira] = [await signer(), await administrator()];
      const id = await openRequest();
      const nameId = `${tom.email}@sso`;
      await ok(mira.call('PATCH', profileOf(tom), { sso_userid: nameId, current_password: password }));
      const session = must(await signIn(tom.email, password), 'a session');
      const other = must(await signIn(tom.email, password), 'a session');
      const token = await signOnToken({ ...tom, call: other }, nameId);
      await noMails();
      const edit = { password: 'a password of my own', current_password: password };
      expect((await session('PATCH', profileOf(tom), edit)).status).toBe(200);
      expect((await session('GET', '/user')).status).toBe(200);
      await soon(() => mail.mails.length).toBe(1);
      expect(mail.mails[0]).toMatchObject({ to: [tom.email], text: expect.stringContaining('password') });
      expect((await other('GET', '/user')).status).toBe(401);
      const late = await session('POST', `/approvals/request/sign/${id}/token`, {
        decision: 'approve',
        token,
      });
      expect(late).toMatchObject({ status: 422, body: { errors: [{ field: 'token' }] } });
    });

    it('USER-14 the previous address is notified when a new one, requested by its owner, takes effect', async () => {
      const tom = await signer();
      await noMails();
      const edit = { email: `new-${tom.email}`, current_password: password };
      expect((await tom.call('PATCH', profileOf(tom), edit)).status).toBe(200);
      await soon(() => mail.mails.length).toBe(1);
      expect(mail.mails[0]?.to).toEqual([edit.email]);
      const link = /reset-password\?token=([\w-]{43})/.exec(mail.mails[0]?.text ?? '')?.[1] ?? '';
      await noMails();
      const confirmed = await fetch(`${shop.server.url}/api/2.0/users/reset_password/confirm`, {
        method: 'POST',
        body: JSON.stringify({ token: link, password: 'a password of my own' }),
      });
      expect(confirmed.status).toBe(204);
      expect((await tom.call('GET', '/user')).status).toBe(401);
      await soon(() => mail.mails.length).toBe(1);
      expect(mail.mails[0]?.to).toEqual([tom.email]);
      expect(mail.mails[0]?.text).toContain('e-mail address');
      expect(mail.mails[0]?.text).not.toContain(edit.email);
    });

    it('USER-14 the owner is notified when an administrator does it, and by whom', async () => {
      const [tom, mira] = [await signer(), await administrator()];
      for (const [edit, status] of [
        [{ password: 'set by an administrator' }, 401],
        // A new way to sign in, beside the existing ones.
        [{ sso_userid: `${tom.email}@sso` }, 200],
        [{ sso_userid: `${tom.email}@other` }, 401],
        [{ email: `new-${tom.email}` }, 401],
      ] as const) {
        await noMails();
        const session = await shop.server.session(tom);
        await ok(mira.call('PATCH', profileOf(tom), { ...edit, current_password: password }));
        expect((await session('GET', '/user')).status).toBe(status);
        await soon(() => mail.mails.length).toBe(1);
        expect(mail.mails[0]).toMatchObject({
          to: [tom.email],
          text: expect.stringContaining(`Admin${mira.email.replaceAll(/\D/g, '')}`),
        });
      }
      await noMails();
      expect((await benchbook('user', 'password', `new-${tom.email}`)).code).toBe(0);
      // The command uses the mail server of the site, and waits until the mail is sent.
      expect(mail.mails).toHaveLength(2);
      for (const to of [`new-${tom.email}`, tom.email])
        expect(mail.mails).toContainEqual(
          expect.objectContaining({ to: [to], text: expect.stringContaining('command line') }),
        );
    });
  });
}
