import type { Selectable } from 'kysely';

import { forbidden, invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { SignOnRequest, SignOnToken } from '#shared/model/sign-on.ts';
import { can } from './access.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';
import type { SignOnSettings } from '#server/core/site-settings.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import {
  inEnglish,
  isFirstUse,
  notTrusted,
  readOrRefuse,
  requestSeconds,
  usedBefore,
  type Flaw,
} from './assertions.ts';
import { authenticationUrl, type Asserted } from './saml.ts';
import { issueSignOn } from './tokens.ts';

type SignOnRow = Selectable<Tables['sign_ons']>;

/** Time to fetch the token after the answer, seconds. */
const takeSeconds = 5 * 60;

/** The settings of the identity provider; throws 404 if there is none. */
export function mustHaveProvider({ services }: Pick<Context, 'services'>): SignOnSettings {
  const { sign_on, address } = services.site;
  if (sign_on === null || address === null)
    throw new Problem('not-found', 'No identity provider is set up on this site; sign with the password');
  return sign_on;
}

/**
 * Throws 403 for callers who cannot use single sign-on.
 *
 * - SIGN-ON-2 A request belongs to the person who started it, requires a fresh authentication (ForceAuthn) and ends
 *   after ten minutes. Nobody else sees it. It cannot be started while acting as another person, by a kiosk, or by an
 *   account without a single sign-on id.
 */
export async function mustBeKnownThere(ctx: Context): Promise<void> {
  const { site } = ctx.services;
  if (!can(ctx.viewer, 'signOn.begin', site))
    throw forbidden(
      site.sign_on === null
        ? 'No identity provider is set up on this site; sign with the password'
        : 'Whoever acts as somebody else, or at a kiosk, does not sign',
    );
  const row = await personOf(ctx.db, mustUserid(ctx));
  if (row?.sso_userid == null)
    throw forbidden('Your account has no single sign-on id; an administrator can set it');
}

/**
 * Starts a request of the caller.
 *
 * - SIGN-ON-8 `/sites/info` says in `authentication.sign-on` whether people can sign in this way; the app offers it
 *   then. A person's decision and the sign-on itself survive a reload of the app's page; the token stays in its engine.
 */
export async function beginSignOn(ctx: Context): Promise<Remembered<SignOnRequest>> {
  const { services } = ctx;
  const settings = mustHaveProvider(ctx);
  const random = (): string => Buffer.from(services.randomBytes(24)).toString('base64url');
  const [sign_onid, request_id] = [random(), `_${random()}`];
  const request = { id: request_id, createdMs: ctx.seconds * 1000, anew: true };
  const url = await authenticationUrl(services.site, settings, request, sign_onid);
  await forgetOld(ctx);
  await ctx.db
    .insertInto('sign_ons')
    .values({
      sign_onid,
      request_id,
      url,
      userid: mustUserid(ctx),
      created_date: ctx.seconds,
      expires_date: ctx.seconds + requestSeconds,
      status: 'waiting',
      authenticated_date: null,
      error: null,
    })
    .execute();
  return ctx.respondWithRecord('signOn', sign_onid, representSignOn(ctx, sign_onid));
}

async function forgetOld({ db, seconds }: Context): Promise<void> {
  await db
    .deleteFrom('sign_ons')
    .where('expires_date', '<', seconds - 24 * 3600)
    .execute();
  await db.deleteFrom('sign_on_tokens').where('expires_date', '<', seconds).execute();
  await db.deleteFrom('sign_on_assertions').where('expires_date', '<', seconds).execute();
}

/** The caller's own request; throws 404 for requests of others. */
export async function representSignOn(ctx: Context, sign_onid: string): Promise<SignOnRequest> {
  const { status, url, error, expires_date } = await mustOwn(ctx, sign_onid);
  return { sign_onid, status, url, error, expires_date };
}

async function mustOwn(ctx: Context, sign_onid: string): Promise<SignOnRow> {
  const row = await findSignOn(ctx.db, sign_onid);
  if (row?.userid !== mustUserid(ctx)) throw notFound('Sign-on');
  return row;
}

function findSignOn(db: Db, sign_onid: string): Promise<SignOnRow | undefined> {
  return db.selectFrom('sign_ons').selectAll().where('sign_onid', '=', sign_onid).executeTakeFirst();
}

/** Issues the token of a confirmed request, once. Throws 422 before and afterwards. */
export async function takeToken(ctx: Context, sign_onid: string): Promise<Remembered<SignOnToken>> {
  const row = await mustOwn(ctx, sign_onid);
  if (row.status === 'waiting')
    throw invalid('sign_onid', 'The identity provider has not confirmed yet that it is you');
  if (row.status !== 'confirmed' || row.authenticated_date === null || row.expires_date < ctx.seconds)
    throw invalid('sign_onid', 'This sign-on is over; begin a new one');
  const issued = await issueSignOn(ctx, row.userid, row.authenticated_date);
  await ctx.db
    .updateTable('sign_ons')
    .set({ status: 'taken', expires_date: issued.expires_date })
    .where('sign_onid', '=', sign_onid)
    .execute();
  return ctx.respondWithRecord('signOnToken', sign_onid, issued);
}

/** The expiry of an issued token, without the token, for a replay. */
export async function representToken(ctx: Context, sign_onid: string): Promise<SignOnToken> {
  return { expires_date: (await mustOwn(ctx, sign_onid)).expires_date };
}

/** The result that the person sees after the answer of the identity provider. */
export type Consumed = { ok: true } | { ok: false; flaw: Flaw };

/**
 * Processes the answer of the identity provider to a request. A wrong answer ends the request, with a reason.
 *
 * - SIGN-ON-7 The audit log records what was confirmed and what was refused.
 */
export async function consumeAssertion(
  ctx: Context,
  sign_onid: string,
  SAMLResponse: string,
): Promise<Consumed> {
  const settings = mustHaveProvider(ctx);
  const row = await findSignOn(ctx.services.storage.reader, sign_onid);
  if (row?.status !== 'waiting' || row.expires_date < ctx.seconds)
    return { ok: false, flaw: (flaws) => flaws.signOnUnknown };
  const request = { id: row.request_id, createdMs: row.created_date * 1000, anew: true };
  const asserted = await readOrRefuse(ctx, settings, request, SAMLResponse);
  return ctx.write(async (write) => {
    const flaw = asserted === null ? notTrusted : await flawOf(write, row, asserted);
    const ok = flaw === undefined;
    write.note.object = { kind: 'sign_on', id: sign_onid };
    write.note.by = { userid: row.userid, name: (await personOf(write.db, row.userid))?.username ?? '' };
    if (!ok) write.note.outcome = 'refused';
    await write.db
      .updateTable('sign_ons')
      .set({
        status: ok ? 'confirmed' : 'refused',
        error: flaw === undefined ? null : inEnglish(flaw),
        authenticated_date: ok && asserted !== null ? Math.floor(asserted.authenticatedMs / 1000) : null,
        expires_date: write.seconds + takeSeconds,
      })
      .where('sign_onid', '=', sign_onid)
      .execute();
    return flaw === undefined ? { ok: true } : { ok: false, flaw };
  });
}

/** Why a valid assertion does not confirm the request; undefined if it does. */
async function flawOf(ctx: Context, row: SignOnRow, asserted: Asserted): Promise<Flaw | undefined> {
  const now = await findSignOn(ctx.db, row.sign_onid);
  if (now?.status !== 'waiting') return (flaws) => flaws.signOnOver;
  if (!(await isFirstUse(ctx, asserted))) return usedBefore;
  const person = await personOf(ctx.db, row.userid);
  if (person?.enabled !== 1) return (flaws) => flaws.accountClosed;
  if (person.sso_userid !== asserted.ssoUserid) return (flaws) => flaws.somebodyElse;
  return undefined;
}

function personOf(db: Db, userid: number) {
  return db
    .selectFrom('users')
    .select(['username', 'sso_userid', 'enabled'])
    .where('userid', '=', userid)
    .executeTakeFirst();
}
