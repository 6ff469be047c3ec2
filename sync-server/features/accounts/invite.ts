import { invalid } from '#shared/api/problem.ts';
import { invitationSeconds } from '#shared/api/accounts.ts';
import type { Invitation } from '#shared/model/account.ts';
import { codeAlphabet, codeLength, enrolmentCode, shownCode } from '#shared/rules/stations.ts';
import type { Context } from '#server/core/context.ts';
import { contextForJob } from '#server/core/job.ts';
import { hashToken } from '#server/core/sessions.ts';
import { addressBlock } from '#server/platform/caller.ts';
import { textsIn } from '#server/text/texts.ts';

import { givenFlaw, type GivenFacts } from '../approvals/password.ts';
import { countAttempt } from '../tokens/attempts.ts';
import { accessSetBy, addressesOf, doerOf } from '../tokens/notices.ts';
import { findReset, makeResetToken, resetLink, setPassword } from '../tokens/password-reset.ts';
import { askerOf } from '../tokens/passwords.ts';
import { mustBeProved, withProof, type Proof } from '../tokens/proof.ts';
import { asTry } from '../tokens/throttle.ts';
import { mustBeReachable } from './policy.ts';

/** `tell` tells the person, and returns why the mail of an invitation could not be sent. */
type Told = Invitation & { tell: () => Promise<string | undefined> };

/**
 * Invites a person to choose a password.
 *
 * - ACCOUNTS-4 An administrator who proves their identity (USER-13) invites a person by mail, or with a code to print. It
 *   can be used once, within a week, and ends the invitations and links made before. Nothing else changes until then: the
 *   old password works.
 * - ACCOUNTS-5 Of a code, only a keyed hash is stored, and only the answer to the call has it: a repeated call makes another.
 * - ACCOUNTS-6 Whoever makes a code could use it. The administrator is remembered as for a new password (USER-17), and the
 *   owner is told by mail.
 */
export async function invite(
  ctx: Context,
  userid: number,
  { by, ...proof }: Proof & { by: 'mail' | 'code' },
): Promise<Invitation> {
  const action = 'POST /accounts/{userid}/invitation';
  const use = { action, flaw: (_: unknown, account: GivenFacts) => givenFlaw(account) };
  const { tell, ...made } = await withProof(ctx, proof, use, async (write, isProved): Promise<Told> => {
    mustBeProved(isProved);
    const account = await write.db
      .selectFrom('users')
      .selectAll()
      .where('userid', '=', userid)
      .executeTakeFirstOrThrow();
    mustBeReachable(write, account, by);
    write.note.object = { kind: 'user', id: String(userid) };
    await write.db.deleteFrom('password_resets').where('userid', '=', userid).execute();
    const until_date = write.seconds + invitationSeconds;
    if (by === 'mail') {
      const token = await makeResetToken(write, userid, invitationSeconds);
      return { code: null, until_date, tell: () => mailInvitation(ctx, account, token) };
    }
    const code = newCode(write);
    await write.db
      .insertInto('password_resets')
      .values({ token_hash: await codeHash(write, code), userid, expires_date: until_date })
      .execute();
    await write.db
      .updateTable('users')
      .set(accessSetBy(write.viewer, account, write.seconds))
      .where('userid', '=', userid)
      .execute();
    // Nobody has to be warned about an account that nobody could use yet.
    const isUsed = account.password_hash !== null || account.sso_userid !== null;
    return {
      code: shownCode(code),
      until_date,
      tell: async () => {
        if (isUsed) tellOwner(write, account);
        return undefined;
      },
    };
  });
  const failure = await tell();
  return failure === undefined ? made : { ...made, failure };
}

function newCode({ services }: Context): string {
  return Array.from(
    services.randomBytes(codeLength),
    (byte) => codeAlphabet[byte % codeAlphabet.length] ?? '',
  ).join('');
}

async function codeHash({ services }: Context, code: string): Promise<string> {
  return (await services.identity.key()).secretHash(`account code ${code}`);
}

/**
 * Mails an invitation, and waits until the mail server has taken it: administrators may know. Returns why it did not.
 *
 * - ACCOUNTS-10 If the mail server does not take the mail of an invitation, the account says so, in the words of the mail
 *   server, until the person is invited again.
 */
async function mailInvitation(
  { services, viewer }: Context,
  { email, username, langid }: { email: string | null; username: string; langid: string },
  token: string,
): Promise<string | undefined> {
  const { site, mailer, listensAt } = services;
  const { subject, text } = textsIn(langid, site.langid).mails.invitation;
  const link = resetLink(site.address ?? listensAt ?? '', token);
  const failure = await mailer.attempt({
    to: email ?? '',
    subject: subject(site.name),
    text: text(username, viewer.username, site.name, link),
  });
  if (failure !== undefined)
    await contextForJob(services, null, async ({ db }) => {
      await db
        .updateTable('password_resets')
        .set({ failure })
        .where('token_hash', '=', hashToken(token))
        .execute();
    });
  return failure;
}

function tellOwner(
  { services: { site, mailer }, viewer, seconds }: Context,
  account: Parameters<typeof addressesOf>[0] & { userid: number; username: string; langid: string },
): void {
  const { subject, text } = textsIn(account.langid, site.langid).mails.code;
  const { who, administrator = '' } = doerOf(viewer, account.userid);
  for (const to of addressesOf(account, seconds))
    mailer.send({
      to,
      subject: subject(site.name),
      text: text(account.username, site.name, who, administrator),
    });
}

/**
 * Sets the password of the account of a code. Throws 422 for a wrong, used or old code, 429 after too many.
 *
 * - ACCOUNTS-7 A code sets a new password once and ends every session of the account. Wrong, used and old codes get the same
 *   answer.
 * - ACCOUNTS-8 Wrong codes are counted by address: after ten, each one has to wait, and administrators get mail. The audit
 *   log has each of them.
 */
export async function redeem(
  ctx: Context,
  { code, password }: { code: string; password: string },
): Promise<{ email: string | null }> {
  const subject = hashToken(`account codes of ${addressBlock(ctx.address)}`);
  const limits = [{ subject }];
  return ctx.services.passwords.inTurn(subject, () =>
    asTry(ctx, limits, async () => {
      const hash = await codeHash(ctx, enrolmentCode(code));
      if ((await findReset(ctx.services.storage.reader, hash, ctx.seconds)) === undefined) {
        await countAttempt(ctx, { limits, action: 'POST /accounts/redeem', object: null });
        throw wrongCode();
      }
      const passwordHash = await ctx.services.passwords.hash(password, askerOf(ctx));
      const { notify, email } = await ctx.write(async (write) => {
        const found = await findReset(write.db, hash, write.seconds);
        if (found === undefined) throw wrongCode();
        write.note.object = { kind: 'user', id: String(found.userid) };
        return setPassword(write, found, passwordHash, 'printedCode');
      });
      notify();
      return { email };
    }),
  );
}

function wrongCode() {
  return invalid('code', 'This code is wrong, used or too old. Ask an administrator for a new one');
}
