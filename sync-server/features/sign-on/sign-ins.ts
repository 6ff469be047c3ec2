import { createHash } from 'node:crypto';

import type { Selectable } from 'kysely';
import { z } from 'zod';

import { Problem } from '#shared/api/problem.ts';
import type { SignInRequest } from '#shared/model/sign-on.ts';
import { must } from '#shared/must.ts';
import { hashToken } from '#server/core/sessions.ts';
import type { Context } from '#server/core/context.ts';
import { countAttempt } from '#server/features/tokens/attempts.ts';
import { issueToken } from '#server/features/tokens/store.ts';
import { forgetFailures, refuseWhileThrottled } from '#server/features/tokens/throttle.ts';
import type { SignOnSettings } from '#server/core/site-settings.ts';
import type { Db, Tables } from '#server/storage/tables.ts';
import { addressBlock } from '#server/platform/caller.ts';

import { isFirstUse, notTrusted, readOrRefuse, requestSeconds, usedBefore, type Flaw } from './assertions.ts';
import { resolveAccount, matchAccount, type Identity } from './person.ts';
import { authenticationUrl, type Asserted } from './saml.ts';

type SignInRow = Selectable<Tables['sign_ins']>;

/** Lifetime of a code, seconds. */
const codeSeconds = 2 * 60;
/** Most open requests of an address, which a whole workshop may share. */
const mostRequests = 60;

const identity: z.ZodType<Identity> = z.strictObject({
  ssoUserid: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
});

/**
 * The settings of the identity provider; throws 404 if people do not sign in with one.
 *
 * - SIGN-ON-9 If the setting `sign_in_name` is set, `/sites/info` returns it (`authentication.sign-in`), the sign-in
 *   screen shows "Sign in with …", and people can sign in with it, also on a private site. A session at the provider is
 *   enough (no ForceAuthn); the provider determines how long it lasts.
 */
export function mustHaveSignIn({ services }: Pick<Context, 'services'>): SignOnSettings {
  const { sign_on, address } = services.site;
  if (sign_on === null || sign_on.sign_in_name === null || address === null)
    throw new Problem(
      'not-found',
      'Nobody signs in with an identity provider on this site; sign in with the password',
    );
  return sign_on;
}

/**
 * Starts a request to sign in. `challenge`: the hash of the device's secret. `return_to`: the address at which the
 * device listens on its own machine; by default the browser returns to the app of the site.
 *
 * - SIGN-ON-10 The device keeps a secret and sends its hash when it starts a request (PKCE, RFC 7636). The code works
 *   once, within two minutes, with that secret only. So neither a person who sends others the address of a started
 *   sign-in, nor one who reads the code, can use it. The code is stored as a hash. It is sent in the fragment of an
 *   address, which is not sent to servers; to the desktop app, in a request that stays on its machine. It goes to the
 *   address of the site or to a port of 127.0.0.1; no request can name another destination.
 */
export async function beginSignIn(
  ctx: Context,
  { challenge, return_to }: { challenge: string; return_to?: string | undefined },
): Promise<SignInRequest> {
  const { services, db, seconds } = ctx;
  const settings = mustHaveSignIn(ctx);
  await db.deleteFrom('sign_ins').where('expires_date', '<', seconds).execute();
  const subject = hashToken(`sign-in ${addressBlock(ctx.address)}`);
  await refuseTooMany(ctx, subject);
  const random = (): string => Buffer.from(services.randomBytes(24)).toString('base64url');
  const [sign_inid, request_id] = [random(), `_${random()}`];
  const request = { id: request_id, createdMs: seconds * 1000, anew: false };
  const expires_date = seconds + requestSeconds;
  await db
    .insertInto('sign_ins')
    .values({
      sign_inid,
      request_id,
      challenge,
      return_to: return_to ?? null,
      subject,
      created_date: seconds,
      expires_date,
      code_hash: null,
      asserted: null,
    })
    .execute();
  return {
    url: await authenticationUrl(services.site, settings, request, sign_inid),
    return_to: return_to ?? appOf(ctx),
    expires_date,
  };
}

async function refuseTooMany({ db, seconds }: Context, subject: string): Promise<void> {
  const rows = await db
    .selectFrom('sign_ins')
    .select('expires_date')
    .where('subject', '=', subject)
    .orderBy('expires_date')
    .execute();
  if (rows.length < mostRequests) return;
  const retryAfterSeconds = (rows[0]?.expires_date ?? seconds) - seconds + 1;
  throw new Problem('too-many-requests', 'Too many people sign in from here at once. Wait and try again', {
    retryAfterSeconds,
  });
}

/** The page of the app that accepts a code. */
function appOf({ services }: Pick<Context, 'services'>): string {
  return `${must(services.site.address, 'the address of the site')}/sign-in`;
}

/** The request with this id, which is the RelayState of its answer. */
export function findSignIn(db: Db, sign_inid: string): Promise<SignInRow | undefined> {
  return db.selectFrom('sign_ins').selectAll().where('sign_inid', '=', sign_inid).executeTakeFirst();
}

/** The address at which the person continues, with the code for their device, or the reason of a refusal. */
export type Answered = { ok: true; goTo: string } | { ok: false; flaw: Flaw; back: string };

/**
 * Processes the answer of the identity provider to a request. The resulting code works only on the device that started
 * the request (SIGN-ON-10).
 */
export async function answerSignIn(ctx: Context, row: SignInRow, SAMLResponse: string): Promise<Answered> {
  const settings = mustHaveSignIn(ctx);
  const request = { id: row.request_id, createdMs: row.created_date * 1000, anew: false };
  const asserted = await readOrRefuse(ctx, settings, request, SAMLResponse);
  return ctx.write(async (write) => {
    const now = await findSignIn(write.db, row.sign_inid);
    if (now === undefined || now.code_hash !== null || now.is_over === 1 || now.expires_date < write.seconds)
      return refused(write, (flaws) => flaws.signInOver);
    const flaw = await flawOf(write, settings, asserted);
    if (flaw !== undefined || asserted === null) {
      await change(write, row.sign_inid, { is_over: 1 });
      return refused(write, flaw ?? notTrusted);
    }
    const code = Buffer.from(write.services.randomBytes(32)).toString('base64url');
    const { ssoUserid, email, name } = asserted;
    await change(write, row.sign_inid, {
      code_hash: hashToken(code),
      asserted: JSON.stringify({ ssoUserid, email, name } satisfies Identity),
      expires_date: write.seconds + codeSeconds,
    });
    write.note.outcome = 'done';
    return {
      ok: true,
      goTo: row.return_to === null ? `${appOf(write)}#sign-on=${code}` : `${row.return_to}?code=${code}`,
    };
  });
}

function refused(write: Context, flaw: Flaw): Answered {
  write.note.outcome = 'refused';
  return { ok: false, flaw, back: appOf(write) };
}

async function change(
  { db }: Context,
  sign_inid: string,
  to: Partial<Pick<SignInRow, 'is_over' | 'code_hash' | 'asserted' | 'expires_date'>>,
): Promise<void> {
  await db.updateTable('sign_ins').set(to).where('sign_inid', '=', sign_inid).execute();
}

/** Why an answer signs nobody in; undefined if it does. Sets the facts for the audit log. */
async function flawOf(
  write: Context,
  settings: SignOnSettings,
  asserted: Asserted | null,
): Promise<Flaw | undefined> {
  write.note.object = { kind: 'sign_on', id: '' };
  if (asserted === null) return notTrusted;
  write.note.facts = { sso_userid: asserted.ssoUserid };
  if (!(await isFirstUse(write, asserted))) return usedBefore;
  const match = await matchAccount(write.db, settings, asserted);
  if (match.userid !== undefined) write.note.object = { kind: 'user', id: String(match.userid) };
  return match.kind === 'nobody' ? match.flaw : undefined;
}

/**
 * Issues the token for a code. Throws 401 for a code that is invalid, used, too old or for another device, and if the
 * account may no longer sign in; 429 after too many such attempts.
 *
 * - SIGN-ON-14 After ten invalid codes an address must wait as after wrong passwords. An address has at most sixty open
 *   requests.
 */
export async function redeemSignIn(
  ctx: Context,
  { code, verifier, device }: { code: string; verifier: string; device?: string | undefined },
): Promise<{ userid: number; token: string }> {
  const settings = mustHaveSignIn(ctx);
  const subject = hashToken(`sign-in code ${addressBlock(ctx.address)}`);
  await refuseWhileThrottled(ctx, subject);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const good = { code_hash: hashToken(code), challenge, seconds: ctx.seconds };
  if ((await goodRow(ctx.services.storage.reader, good)) === undefined) {
    await countAttempt(ctx, {
      limits: [{ subject }],
      action: 'POST /user/token/sign_on/redeem',
      object: null,
    });
    throw notGood();
  }
  const { notify, ...entered } = await ctx.write(async (write) => {
    const row = await goodRow(write.db, good);
    if (row === undefined) throw notGood();
    await write.db.deleteFrom('sign_ins').where('sign_inid', '=', row.sign_inid).execute();
    await forgetFailures(write.db, subject);
    const { userid, notify: notifyLater } = await resolveAccount(
      write,
      settings,
      identity.parse(JSON.parse(row.asserted ?? 'null')),
    );
    write.note.object = { kind: 'user', id: String(userid) };
    const token = await issueToken(write, userid, device ?? write.headers['user-agent'] ?? '');
    return { userid, token, notify: notifyLater };
  });
  notify();
  return entered;
}

function goodRow(
  db: Db,
  { code_hash, challenge, seconds }: { code_hash: string; challenge: string; seconds: number },
): Promise<SignInRow | undefined> {
  return db
    .selectFrom('sign_ins')
    .selectAll()
    .where('code_hash', '=', code_hash)
    .where('challenge', '=', challenge)
    .where('expires_date', '>=', seconds)
    .executeTakeFirst();
}

function notGood(): Problem {
  return new Problem(
    'unauthorized',
    'This sign-in was used already, is too old, or was begun on another device. Sign in again',
  );
}
