import { createHmac } from 'node:crypto';

import { badgeNumber, verifierCosts, verifierText, type VerifierKind } from '#shared/rules/stations.ts';
import type { ServerKey } from '#server/core/identity/server-key.ts';
import type { Context } from '#server/core/context.ts';

import { askerOf } from '../tokens/passwords.ts';

/**
 * The salt of all PINs and badges of this site, in hexadecimal. It is the same for everybody, so that a station computes
 * one hash for each entry, however many people it has.
 */
export function verifierSalt(key: ServerKey): string {
  return key.secretHash('salt of badges and PINs').slice(0, 32);
}

/**
 * The argon2id of a PIN, badge number or exit code, encrypted for the database. `owner`: the userid, without which nothing
 * can decrypt it.
 */
export async function sealedHash(
  ctx: Context,
  kind: VerifierKind,
  entry: string,
  owner: number,
): Promise<string> {
  return seal(ctx, kind, await entryHash(ctx, kind, entry), owner);
}

/** The argon2id of an entry in hexadecimal. It takes too long for a transaction. */
export async function entryHash(ctx: Context, kind: VerifierKind, entry: string): Promise<string> {
  const { identity, passwords } = ctx.services;
  const text = kind === 'badge' ? badgeNumber(entry) : entry;
  const { memory: memoryCost, passes: timeCost } = verifierCosts[kind === 'exit' ? 'pin' : kind];
  const salt = Buffer.from(verifierSalt(await identity.key()), 'hex');
  const hash = await passwords.hashRaw(text, { memoryCost, timeCost, salt }, askerOf(ctx));
  return hash.toString('hex');
}

/** Encrypts a hash for the database. */
export async function seal(
  { services: { identity, randomBytes } }: Context,
  kind: VerifierKind,
  hash: string,
  owner: number,
): Promise<string> {
  return (await identity.key()).encrypt(hash, `${kind} of ${owner}`, randomBytes(12));
}

/** By which a badge number is found again, without being stored. */
export function badgeHash(key: ServerKey, number: string): string {
  return key.secretHash(`badge ${badgeNumber(number)}`);
}

/**
 * The verifier that a station gets (`shared/rules/stations.ts`). null if the key of the server was replaced since, and the
 * hash cannot be decrypted any more.
 */
export function verifierOf(
  key: ServerKey,
  kind: VerifierKind,
  { sealed, userid, accountid }: { sealed: string; userid: number; accountid: string },
  secret: Buffer,
): string | null {
  const hash = key.decrypt(sealed, `${kind} of ${userid}`);
  if (hash === null) return null;
  return createHmac('sha256', secret)
    .update(verifierText(kind, accountid, hash))
    .digest('hex');
}
