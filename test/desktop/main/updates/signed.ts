import { createHash, type KeyObject } from 'node:crypto';

import { makeSigningKey, publicKeyOf, readSigningKey, signManifest } from '#desktop/build/update-signing.ts';
import { type PublisherKey, publisherKey } from '#desktop/main/updates/verify.ts';
import { desktopAppId, type UpdateManifest } from '#shared/model/desktop-update.ts';

/** A day of the tests, ms since 1970. */
export const today = Date.parse('2026-05-04T08:00:00Z');
export const day = 24 * 60 * 60 * 1000;

/** A new key pair of a publisher. */
export function newPublisher(): { privateKey: KeyObject; publicKey: PublisherKey; base64: string } {
  const privateKey = readSigningKey(makeSigningKey());
  const base64 = publicKeyOf(privateKey);
  return { privateKey, publicKey: publisherKey(Buffer.from(base64, 'base64')), base64 };
}

/** A manifest for this package on Linux; it is of today. */
export function manifestFor(bytes: Uint8Array, change: Partial<UpdateManifest> = {}): UpdateManifest {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { version = '0.2.0' } = change;
  return {
    format: 1,
    app: desktopAppId,
    version,
    releasedAt: new Date(today).toISOString(),
    expiresAt: new Date(today + 90 * day).toISOString(),
    minimumVersion: '0.0.0',
    notes: 'Repairs.',
    artefacts: [
      {
        platform: 'linux',
        arch: 'x64',
        kind: 'folder',
        file: `benchbook-desktop-${version}-linux-x64.tar.gz`,
        size: bytes.length,
        sha256,
      },
    ],
    ...change,
  };
}

/** `update.json` with the signature of these keys. */
export function signed(manifest: unknown, keys: readonly KeyObject[]): Uint8Array {
  return new TextEncoder().encode(signManifest(JSON.stringify(manifest), keys));
}
