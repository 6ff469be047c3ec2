import { hashToken } from '#server/core/sessions.ts';
import type { Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';
import { addressBlock } from '#server/platform/caller.ts';

/** How long a device or address stays known after the person signed in there, seconds. */
export const knownSeconds = 90 * 24 * 3600;
/** Maximum per person; the least recently seen are forgotten. */
const mostKnown = 100;

/** Where a person signs in from. */
export interface SignInOrigin {
  /** The key that a device received when a person signed in on it. */
  key: string | null;
  address: string;
}

/** Which of an account's failures count for an attempt: those of this device, of this address, or of all. */
export type Standing = 'device' | 'address' | 'stranger';

/** What an account knows of a place: the device, the address, or nothing. */
export async function standingOf(
  db: Db,
  userid: number | undefined,
  place: SignInOrigin,
  seconds: number,
): Promise<Standing> {
  if (userid === undefined) return 'stranger';
  const rows = await db
    .selectFrom('known_devices')
    .select('key_hash')
    .where('userid', '=', userid)
    .where('key_hash', 'in', hashesOf(place))
    .where('seen_date', '>', seconds - knownSeconds)
    .execute();
  const known = rows.map(({ key_hash }) => key_hash);
  if (place.key !== null && known.includes(deviceHash(place.key))) return 'device';
  return known.includes(addressHash(place.address)) ? 'address' : 'stranger';
}

/** Remembers that a person signed in there. Returns the key of the device: its own, if known, or a new one. */
export async function rememberOrigin(
  ctx: Context,
  userid: number,
  place: SignInOrigin,
  standing: Standing,
): Promise<string> {
  const key =
    standing === 'device' && place.key !== null
      ? place.key
      : Buffer.from(ctx.services.randomBytes(24)).toString('base64url');
  await remember(ctx, userid, hashesOf({ ...place, key }));
  return key;
}

/** Remembers the address where a person registered, set a new password through a link, or proved their password. */
export async function rememberAddress(ctx: Context, userid: number, address: string): Promise<void> {
  await remember(ctx, userid, [addressHash(address)]);
}

async function remember(ctx: Context, userid: number, hashes: string[]): Promise<void> {
  const seen = { seen_date: ctx.seconds };
  for (const key_hash of hashes)
    await ctx.db
      .insertInto('known_devices')
      .values({ userid, key_hash, ...seen })
      .onConflict((conflict) => conflict.columns(['userid', 'key_hash']).doUpdateSet(seen))
      .execute();
  const kept = ctx.db
    .selectFrom('known_devices')
    .select('key_hash')
    .where('userid', '=', userid)
    .orderBy('seen_date', 'desc')
    .orderBy('key_hash')
    .limit(mostKnown);
  await ctx.db
    .deleteFrom('known_devices')
    .where('userid', '=', userid)
    .where('key_hash', 'not in', kept)
    .execute();
}

function hashesOf({ key, address }: SignInOrigin): string[] {
  return [addressHash(address), ...(key === null ? [] : [deviceHash(key)])];
}

function deviceHash(key: string): string {
  return hashToken(`device ${key}`);
}

function addressHash(address: string): string {
  return hashToken(`address ${addressBlock(address)}`);
}
