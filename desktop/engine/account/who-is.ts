import { identityAnswer, identityMessage, serverIdOf } from '#shared/sync/identity.ts';
import { tolerantProtocol, unannouncedProtocol } from '#shared/sync/protocol.ts';

import type { ServerConnection } from '../sync/server-connection.ts';
import { Impostor, NotNow } from '../sync/connection-errors.ts';

/** A server as it introduced itself. Its id follows from its public key. */
export interface Introduced {
  server: string;
  publicKey: string;
  /**
   * `proved`: it holds the key, and is at the address that this device used. `origin-not-named`: its administrator has not
   * named that address. `cannot-verify`: this browser cannot check Ed25519 signatures.
   */
  proof: 'proved' | 'origin-not-named' | 'cannot-verify';
}

/**
 * Asks the server of `connection` for its identity, without sending a token. Null: an older server without an identity.
 * @throws Unreachable when the server does not answer, or something else does
 * @throws Impostor when the signature is not of the key that the answer names
 */
export async function whoIs(connection: ServerConnection): Promise<Introduced | null> {
  const nonce = base64url(connection.randomBytes(32));
  const { origin } = new URL(connection.server);
  const query = new URLSearchParams({ nonce, origin });
  const answering = await connection.request(`/sync/1/identity?${query}`, {
    credentials: 'omit',
    cache: 'no-store',
  });
  if (!answering.response.ok) {
    const { status } = answering.response;
    await connection.refusal(answering);
    if (status === 404) {
      connection.learnNaming(false);
      return null;
    }
    throw new NotNow(status, connection.waitIn(answering));
  }
  const data = connection.parsed(answering, identityAnswer, await connection.text(answering));
  const { server, publicKey, signature, protocol = unannouncedProtocol } = data;
  const key = bytesOf(publicKey);
  if ((await serverIdOf(key)) !== server) throw new Impostor(impostorMessage(connection.server));
  connection.learnNaming(protocol >= tolerantProtocol);
  if (signature === null) return { server, publicKey, proof: 'origin-not-named' };
  const isTrue = await verify(key, bytesOf(signature), identityMessage(nonce, origin));
  if (isTrue === false) throw new Impostor(impostorMessage(connection.server));
  return { server, publicKey, proof: isTrue === null ? 'cannot-verify' : 'proved' };
}

function impostorMessage(server: string): string {
  return `Nothing is sent: what answers at ${server} cannot prove that it is your server. Tell your administrator.`;
}

/** Whether a signature is valid; null: this browser does not support Ed25519. */
async function verify(
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean | null> {
  try {
    const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signature, message);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return null;
    return false;
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
