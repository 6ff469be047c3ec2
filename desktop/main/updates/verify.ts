import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

import {
  compareVersions,
  desktopAppId,
  mostUpdateFileBytes,
  signedUpdate,
  updateKeys,
  type UpdateManifest,
  updateManifest,
  updateSignatureDomain,
} from '#shared/model/desktop-update.ts';

import { UpdateRefused } from './failure.ts';

/** A public key of the publisher. */
export interface PublisherKey {
  id: string;
  key: KeyObject;
}

/** What an update is compared with. */
export interface VersionFacts {
  /** The running version. */
  installed: string;
  /** The newest version that was ever offered with a valid signature. */
  highest: string;
  /** Versions that did not start on this computer. */
  broken: readonly string[];
  /** Milliseconds since 1970. */
  now: number;
}

/** The start of a public Ed25519 key in DER (RFC 8410), before its 32 bytes. */
const spkiStart = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * The keys in the text of `update-keys.json`. Returns none if the text is not such a file: then no update can be
 * verified, and updates are off.
 */
export function publisherKeys(text: string): PublisherKey[] {
  try {
    return updateKeys.parse(JSON.parse(text)).map((key) => publisherKey(Buffer.from(key, 'base64')));
  } catch {
    return [];
  }
}

/** The key with these 32 bytes. */
export function publisherKey(bytes: Uint8Array): PublisherKey {
  const key = createPublicKey({ key: Buffer.concat([spkiStart, bytes]), format: 'der', type: 'spki' });
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), key };
}

/**
 * The manifest of an `update.json`, and whether its version is newer than the installed one. Nothing in the manifest is
 * read before its signature was verified.
 * @throws UpdateRefused
 */
export function verifiedUpdate(
  file: Uint8Array,
  keys: readonly PublisherKey[],
  facts: VersionFacts,
): { manifest: UpdateManifest; isNewer: boolean } {
  const manifest = signedManifest(file, keys);
  if (manifest.app !== desktopAppId) throw new UpdateRefused('other-app', `It is for ${manifest.app}`);
  if (Date.parse(manifest.expiresAt) <= facts.now)
    throw new UpdateRefused('expired', `It expired at ${manifest.expiresAt}`);
  const { version } = manifest;
  if (compareVersions(version, facts.highest) < 0)
    throw new UpdateRefused('withdrawn', `${facts.highest} was offered before ${version}`);
  if (compareVersions(version, facts.installed) <= 0) return { manifest, isNewer: false };
  if (facts.broken.includes(version)) throw new UpdateRefused('broken', `${version} did not start`);
  if (compareVersions(facts.installed, manifest.minimumVersion) < 0)
    throw new UpdateRefused('too-far', `${version} needs ${manifest.minimumVersion} first`);
  return { manifest, isNewer: true };
}

/** The manifest, if one of the keys has signed it. */
function signedManifest(file: Uint8Array, keys: readonly PublisherKey[]): UpdateManifest {
  if (file.length > mostUpdateFileBytes) throw new UpdateRefused('malformed', 'It is too long');
  const signed = signedUpdate.safeParse(jsonOf(new TextDecoder().decode(file)));
  if (!signed.success) throw new UpdateRefused('malformed', 'It is not a signed update');
  const { manifest, signatures } = signed.data;
  const bytes = new TextEncoder().encode(updateSignatureDomain + manifest);
  const isSigned = signatures.some((one) =>
    keys.some(
      ({ id, key }) => id === one.key && verify(null, bytes, key, Buffer.from(one.signature, 'base64')),
    ),
  );
  if (!isSigned) throw new UpdateRefused('signature', 'No key of the publisher has signed it');
  const parsed = updateManifest.safeParse(jsonOf(manifest));
  if (!parsed.success) throw new UpdateRefused('malformed', 'Its manifest is not one of format 1');
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
