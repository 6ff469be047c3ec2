import { z } from 'zod';

/** The id of a server, as `serverIdOf` computes it. */
export const serverId = z.string().regex(/^[a-z2-7]{26}$/);

/** Bytes in base64url without padding. */
const base64url = z.string().regex(/^[\w-]+$/);

/** An origin in the spelling of browsers, such as `https://guides.example.org`: no path, no default port. */
const origin = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .refine((text) => URL.canParse(text) && new URL(text).origin === text, 'Must be an origin');

/**
 * Query of `GET /sync/1/identity`, which asks the server to prove its identity. `nonce`: 16 to 64 random bytes from the
 * device. `origin`: the address at which the device reaches the server.
 */
export const identityQuery = z.object({
  nonce: base64url.min(22).max(86).meta({ description: '16 to 64 random bytes in base64url' }),
  origin: origin.meta({
    description: 'Where the device reaches the server, such as https://guides.example.org',
  }),
});

/**
 * `server`: `serverIdOf(publicKey)`. `publicKey`: the 32 bytes of an Ed25519 key. `signature`: over `identityMessage`;
 * null when the administrator has not listed the origin, because any machine could then relay the request to the
 * server. `protocol`: what the server speaks with this device; absent before protocol 6.
 */
export const identityAnswer = z.object({
  server: serverId,
  publicKey: base64url.length(43),
  signature: base64url.length(86).nullable(),
  code: z.literal('origin-not-named').optional(),
  protocol: z.int().optional(),
});
export type IdentityAnswer = z.infer<typeof identityAnswer>;

/**
 * The bytes that the server signs. The first line gives the signature a context, so that it is not valid anywhere else.
 */
export function identityMessage(nonce: string, at: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`benchbook server identity 1\n${at}\n${nonce}`);
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const idLength = 26;

/** The id of the server with this public key (32 bytes): the first 130 bits of its SHA-256 in base32 (RFC 4648). */
export async function serverIdOf(publicKey: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', publicKey));
  let id = '';
  for (let digit = 0; digit < idLength; digit += 1) {
    const bit = digit * 5;
    const pair = ((digest[bit >> 3] ?? 0) << 8) | (digest[(bit >> 3) + 1] ?? 0);
    id += alphabet[(pair >> (11 - (bit & 7))) & 31];
  }
  return id;
}

/** Whether an origin is on this machine, where no other machine can answer in the server's place. */
export function isLoopback(at: string): boolean {
  const { hostname } = new URL(at);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}
