import { describe, expect, it } from 'vitest';

import { must } from '#shared/must.ts';
import { listAudit } from '#server/features/audit/list.ts';
import { ok, password } from '#test/support/approvals.ts';
import { startMailServer } from '#test/support/mail-server.ts';
import { soon } from '#test/support/soon.ts';

import {
  administrator,
  benchbook,
  mail,
  noMails,
  openRequest,
  profileOf,
  shop,
  sign,
  signIn,
  signOnToken,
  signatures,
  signer,
} from './world.ts';

/** Passwords set by another person, and administrators who take over an account. */
export function testTakeovers(): void {
  describe('a password set by another person', () => {
    const own = 'a password of my own';

    it('USER-15 by an administrator signs nothing until its owner sets their own', async () => {
      const [tom, mira] = [await signer(), await administrator()];
      const id = await openRequest();
      const given = 'set by an administrator';
      await ok(mira.call('PATCH', profileOf(tom), { password: given, current_password: password }));
      const session = must(await signIn(tom.email, given), 'a session');
      expect(await sign(session, id, given)).toMatchObject({
        status: 422,
        body: {
          errors: [
            { field: 'password', message: expect.stringContaining('Another person set this password') },
          ],
        },
      });
      expect(await signatures(id)).toBe(0);
      // It lets its owner set another one, and nothing else.
      for (const edit of [{ email: `x-${tom.email}` }, { email: `x-${tom.email}`, password: own }])
        expect((await session('PATCH', profileOf(tom), { ...edit, current_password: given })).status).toBe(
          422,
        );
      expect(
        (await session('PATCH', profileOf(tom), { password: given, current_password: given })).status,
      ).toBe(422);
      expect(
        (await session('PATCH', profileOf(tom), { password: own, current_password: given })).status,
      ).toBe(200);
      expect((await sign(session, id, own)).status).toBe(200);
    });

    it('USER-15 by the command line, also for a new account, signs nothing', async () => {
      const id = await openRequest();
      const made = await benchbook('user', 'create', '--email', 'cli@example.com', '--name', 'Cli');
      const first = /([a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4})/.exec(made.out)?.[1] ?? '';
      const session = must(await signIn('cli@example.com', first), 'a session');
      const { userid } = await ok<{ userid: number }>(session('GET', '/user'));
      await ok(shop.mira.call('PUT', `/teams/${shop.teamid}/users/${userid}`, {}));
      expect((await sign(session, id, first)).status).toBe(422);
      const again = await benchbook('user', 'password', 'cli@example.com');
      const second = /([a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4})/.exec(again.out)?.[1] ?? '';
      expect(
        (await sign(must(await signIn('cli@example.com', second), 'a session'), id, second)).status,
      ).toBe(422);
      expect(await signatures(id)).toBe(0);
    });

    it('USER-15 for an account that an administrator registered signs nothing and proves nothing to others', async () => {
      const mira = await administrator();
      const id = await openRequest();
      const made = await ok<{ userid: number }>(
        mira.call('POST', '/users', {
          email: 'given@example.com',
          username: 'Given',
          password: 'known to two',
          current_password: password,
        }),
      );
      await ok(shop.mira.call('PUT', `/teams/${shop.teamid}/users/${made.userid}`, {}));
      const session = must(await signIn('given@example.com', 'known to two'), 'a session');
      expect((await sign(session, id, 'known to two')).status).toBe(422);
      await ok(
        mira.call('PATCH', profileOf(made), { privileges: ['User', 'Admin'], current_password: password }),
      );
      const tom = await signer();
      const forged = { password: 'forged password', current_password: 'known to two' };
      expect((await session('PATCH', profileOf(tom), forged)).status).toBe(422);
      expect(await ok(session('GET', '/user'))).toMatchObject({ must_set_password: true });
    });

    it('USER-15 is replaced through the link in an e-mail or one from the command line', async () => {
      const [tom, mira] = [await signer(), await administrator()];
      const id = await openRequest();
      await ok(
        mira.call('PATCH', profileOf(tom), { password: 'given password', current_password: password }),
      );
      const made = await benchbook('user', 'reset-link', tom.email);
      const token = /\/reset-password\?token=([\w-]{43})/.exec(made.out)?.[1] ?? '';
      const confirmed = await fetch(`${shop.server.url}/api/2.0/users/reset_password/confirm`, {
        method: 'POST',
        body: JSON.stringify({ token, password: own }),
      });
      expect(confirmed.status).toBe(204);
      const session = must(await signIn(tom.email, own), 'a session');
      expect((await sign(session, id, own)).status).toBe(200);
    });
  });

  describe('an administrator who takes over an account', () => {
    const own = 'a password of the attacker';

    /** The mails since `noMails`, as address and text. */
    async function told(): Promise<{ to: string[]; text: string }[]> {
      await shop.server.services.mailer.idle();
      return mail.mails.map(({ to, text }) => ({ to, text }));
    }

    /** The changes of a person in the newest audit row of an action. */
    async function rowOf(action: string): Promise<string> {
      const [row] = await listAudit(shop.server.services.storage.reader, { action }, { limit: 1, offset: 0 });
      return JSON.stringify(must(row, 'a row'));
    }

    it('USER-17 with a password that they set and replace: the owner is notified at each step and at the first signature', async () => {
      const [tom, mira] = [await signer(), await administrator()];
      const [first, second] = [await openRequest(), await openRequest()];
      const who = `Admin${mira.email.replaceAll(/\D/g, '')}`;
      const given = 'set by an administrator';
      await noMails();
      await ok(mira.call('PATCH', profileOf(tom), { password: given, current_password: password }));
      await soon(() => mail.mails.length).toBe(1);
      expect(mail.mails[0]?.text).toContain(`the administrator ${who}`);
      const session = must(await signIn(tom.email, given), 'a session');
      await ok(session('PATCH', profileOf(tom), { password: own, current_password: given }));
      await soon(() => mail.mails.length).toBe(2);
      await ok(sign(session, first, own));
      await soon(() => mail.mails.length).toBe(3);
      expect(mail.mails.map(({ to }) => to)).toEqual([[tom.email], [tom.email], [tom.email]]);
      expect(mail.mails[2]?.text).toContain('was signed with your account');
      expect(mail.mails[2]?.text).toContain(`the administrator ${who}`);
      // The log shows the same: who set it, and with which signature that ended.
      expect(await rowOf('POST /approvals/request/sign/{approval_requestid}')).toContain(
        `"old":{"access_by":${mira.userid}`,
      );
      await noMails();
      await ok(sign(session, second, own));
      expect(await told()).toEqual([]);
    });

    it('USER-17 with another address: the previous one is notified, also of later changes', async () => {
      const [tom, mira] = [await signer(), await administrator()];
      const id = await openRequest();
      const email = `attacker-${tom.email}`;
      await noMails();
      await ok(mira.call('PATCH', profileOf(tom), { email, current_password: password }));
      await soon(() => mail.mails.length).toBe(1);
      expect(mail.mails[0]?.to).toEqual([tom.email]);
      await noMails();
      await fetch(`${shop.server.url}/api/2.0/users/reset_password`, {
        method: 'POST',
        body: JSON.stringify({ email }),
      });
      await soon(() => mail.mails.length).toBe(1);
      const token = /token=([\w-]{43})/.exec(mail.mails[0]?.text ?? '')?.[1] ?? '';
      await noMails();
      const confirmed = await fetch(`${shop.server.url}/api/2.0/users/reset_password/confirm`, {
        method: 'POST',
        body: JSON.stringify({ token, password: own }),
      });
      expect(confirmed.status).toBe(204);
      await soon(() => mail.mails.length).toBe(2);
      expect(new Set(mail.mails.flatMap(({ to }) => to))).toEqual(new Set([email, tom.email]));
      const session = must(await signIn(email, own), 'a session');
      await noMails();
      // An address chosen while acting as the person does not end it either.
      const next = `next-${tom.email}`;
      await ok(mira.call('PATCH', profileOf(tom), { email: next, current_password: password }));
      await soon(() => mail.mails.length).toBe(2);
      expect(new Set(mail.mails.flatMap(({ to }) => to))).toEqual(new Set([email, tom.email]));
      expect((await session('GET', '/user')).status).toBe(401);
      const again = must(await signIn(next, own), 'a session');
      await noMails();
      await ok(sign(again, id, own));
      await soon(() => mail.mails.length).toBe(2);
      expect(new Set(mail.mails.flatMap(({ to }) => to))).toEqual(new Set([next, tom.email]));
    });

    it('USER-17 with their own single sign-on id: the owner is notified at the first signature', async () => {
      const [tom, mira] = [await signer(), await administrator()];
      const id = await openRequest();
      const nameId = `${mira.email}@sso`;
      await ok(mira.call('PATCH', profileOf(tom), { sso_userid: nameId, current_password: password }));
      const token = await signOnToken(tom, nameId);
      await noMails();
      await ok(tom.call('POST', `/approvals/request/sign/${id}/token`, { decision: 'approve', token }));
      await soon(() => mail.mails.length).toBe(1);
      expect(mail.mails[0]).toMatchObject({
        to: [tom.email],
        text: expect.stringContaining('was signed with'),
      });
    });

    it("USER-17 previous addresses are not notified forever of a person's own changes", async () => {
      const [tom, mira] = [await signer(), await administrator()];
      await ok(mira.call('PATCH', profileOf(tom), { email: `new-${tom.email}`, current_password: password }));
      await shop.server.services.storage.write({ userid: null, name: 'Test', action: 'test' }, (tx) =>
        tx
          .updateTable('users')
          .set({ access_date: Math.floor(Date.now() / 1000) - 91 * 24 * 3600 })
          .where('userid', '=', tom.userid)
          .execute(),
      );
      await noMails();
      const session = must(await signIn(`new-${tom.email}`, password), 'a session');
      await ok(session('PATCH', profileOf(tom), { password: own, current_password: password }));
      await soon(() => mail.mails.length).toBe(1);
      expect((await told()).map(({ to }) => to)).toEqual([[`new-${tom.email}`]]);
    });

    it('USER-17 with their own mail server or identity provider: the other administrators are notified through the previous mail server', async () => {
      const [mira, noor] = [await administrator(), await administrator()];
      const others = await startMailServer();
      const server = { host: '127.0.0.1', tls: false, user: 'guides', password: 'canary-smtp' };
      try {
        await noMails();
        await ok(
          mira.call('PATCH', '/site', {
            smtp: { ...server, port: others.port, from: 'attacker@example.com' },
            current_password: password,
          }),
        );
        await soon(() => mail.mails.some(({ to }) => to.includes(noor.email))).toBe(true);
        const toNoor = must(
          mail.mails.find(({ to }) => to.includes(noor.email)),
          'a mail',
        );
        expect(toNoor.text).toContain('mail server');
        expect(toNoor.text).toContain(`Admin${mira.email.replaceAll(/\D/g, '')}`);
        expect(mail.mails.some(({ to }) => to.includes(mira.email))).toBe(false);
        await shop.server.services.mailer.idle();
        expect(others.mails).toEqual([]);
        await ok(
          mira.call('PATCH', '/site', {
            smtp: { ...server, port: mail.port, from: 'guides@example.org' },
            current_password: password,
          }),
        );
        await soon(() => others.mails.some(({ to }) => to.includes(noor.email))).toBe(true);
      } finally {
        await others.close();
      }
    });
  });
}
