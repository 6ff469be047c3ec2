/**
 * Secrets that the server keeps for devices. A device encrypts the work stored on it with a key of its own, and stores
 * that key wrapped with the secret too: a person who has signed in can then read the work again, even if the keyring of
 * the device or the PIN is lost. The secret never lies on the device, and opens nothing without what lies there.
 *
 * - DEVICE-SECRET-1 The secret of a device is 32 random bytes, made at the first request and the same at each later
 *   one. It belongs to the permanent id of the account and to the device; other accounts and devices get other secrets.
 * - DEVICE-SECRET-2 It is given only to a session that began less than ten minutes ago by signing in, with a password
 *   or single sign-on, or by registering. Every other session is refused with the code `sign-in-too-old`. An
 *   administrator who acts as the person, a kiosk and a closed account do not get it.
 * - DEVICE-SECRET-3 It outlives every way to sign in: a new password, whoever sets it, and the end of all sessions
 *   change nothing, so that a lost password loses no work.
 * - DEVICE-SECRET-4 Each time that it is given, the audit log says to whom, for which device and when. The secret
 *   itself is in no log.
 * - DEVICE-SECRET-5 An account gets at most 60 secrets an hour, and has secrets for at most 200 devices.
 * - DEVICE-SECRET-6 The secrets of an account are removed with its row. They are in backups like all rows, so that
 *   devices get the same ones after a restore.
 */
import { forbidden, invalid, Problem } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import { can } from '#server/features/can.ts';
import { mustUserid, type Context } from '#server/core/context.ts';

import { countRequest } from './password-reset.ts';

/** How long after its beginning a session may obtain secrets, seconds. */
const freshSeconds = 10 * 60;
/** Most secrets that an account gets within an hour; a workshop may share one. */
const mostRequests = 60;
/** Most devices of an account that have a secret. None is replaced, because that would lose the work of its device. */
const mostDevices = 200;
const secretBytes = 32;

/**
 * Throws 403 unless the caller may obtain the secrets of their devices with this session, with the code
 * `sign-in-too-old` if a new sign-in is enough. Every session in which nobody acts as another person began with a
 * password or a single sign-on.
 */
export async function mustObtainSecret(ctx: Context): Promise<void> {
  const { db, viewer, seconds } = ctx;
  if (!can(viewer, 'person.obtainDeviceSecret', { userid: mustUserid(ctx) }))
    throw forbidden('Only people who have signed in themselves get the secrets of their devices');
  const session = await db
    .selectFrom('tokens')
    .select('created_date')
    .where('token_hash', '=', viewer.tokenHash ?? '')
    .executeTakeFirst();
  const age = seconds - must(session, 'the session of the caller').created_date;
  // Below zero, the clock was set back since, and the session may be of any age.
  if (age < 0 || age >= freshSeconds)
    throw new Problem('forbidden', 'Sign in again to unlock the work on this device', {
      code: 'sign-in-too-old',
    });
}

/**
 * The secret of a device of the caller, in base64. `device`: its UUID in lower case.
 * @throws Problem 429 for too many requests, 422 for a new device beyond the limit
 */
export async function obtainSecret(ctx: Context, device: string): Promise<string> {
  const { db, note } = ctx;
  const { accountid } = await db
    .selectFrom('users')
    .select('accountid')
    .where('userid', '=', mustUserid(ctx))
    .executeTakeFirstOrThrow();
  await countRequest(
    ctx,
    `device secrets of ${accountid}`,
    mostRequests,
    'Too many requests for secrets of devices',
  );
  // Logged each time, also when no row changes.
  note.outcome = 'done';
  note.object = { kind: 'device', id: device };
  const known = await db
    .selectFrom('device_secrets')
    .select('secret')
    .where('accountid', '=', accountid)
    .where('device', '=', device)
    .executeTakeFirst();
  return known?.secret ?? makeSecret(ctx, accountid, device);
}

async function makeSecret(
  { db, services, seconds }: Context,
  accountid: string,
  device: string,
): Promise<string> {
  const { devices } = await db
    .selectFrom('device_secrets')
    .select((eb) => eb.fn.countAll<number>().as('devices'))
    .where('accountid', '=', accountid)
    .executeTakeFirstOrThrow();
  if (devices >= mostDevices)
    throw invalid('device', `This account has secrets for ${mostDevices} devices, and can have no more`);
  const secret = Buffer.from(services.randomBytes(secretBytes)).toString('base64');
  await db
    .insertInto('device_secrets')
    .values({ accountid, device, secret, created_date: seconds })
    .execute();
  return secret;
}
