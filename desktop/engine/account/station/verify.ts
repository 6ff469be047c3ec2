import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

import type { StationSelf } from '#shared/model/station.ts';
import { badgeNumber, verifierText, type VerifierKind } from '#shared/rules/stations.ts';

import { argon2 } from '#desktop/engine/platform/argon2.ts';
import { fromBase64 } from '#desktop/engine/platform/base64.ts';

/** What a person showed, as it is compared: the hash of a badge or PIN. It stays in memory while they are signed in. */
export interface Shown {
  kind: 'badge' | 'pin';
  /** argon2id, in lower-case hexadecimal. */
  hash: string;
}

export type StationPerson = StationSelf['people'][number];

/** Hashes a badge's number or a PIN as the server did. It takes up to a second. */
export async function shownHash(
  { verifiers }: Pick<StationSelf, 'verifiers'>,
  kind: Shown['kind'],
  entered: string,
): Promise<Shown> {
  const text = kind === 'badge' ? badgeNumber(entered) : entered.trim();
  const hash = await argon2({ text, salt: hexToBytes(verifiers.salt), ...verifiers[kind] });
  return { kind, hash };
}

/** Whether a person has this badge or PIN. `secret`: of the station, base64. */
export function isOf(
  { accountid, pin, badges }: StationPerson,
  { kind, hash }: Shown,
  secret: string,
): boolean {
  const verifier = verifierBy(secret, kind, accountid, hash);
  return kind === 'pin' ? pin === verifier : badges.includes(verifier);
}

/** Whether an entered code is the one that ends station mode. It takes up to a second. */
export async function isExitCode(
  { accountid, exit, verifiers }: StationSelf,
  entered: string,
  secret: string,
): Promise<boolean> {
  const text = entered.replaceAll(/\s/g, '');
  const hash = await argon2({ text, salt: hexToBytes(verifiers.salt), ...verifiers.pin });
  return exit === verifierBy(secret, 'exit', accountid, hash);
}

function verifierBy(secret: string, kind: VerifierKind, accountid: string, hash: string): string {
  const text = new TextEncoder().encode(verifierText(kind, accountid, hash));
  return bytesToHex(hmac(sha256, new Uint8Array(fromBase64(secret)), text));
}
