import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import {
  compareVersions,
  desktopAppId,
  type SignedUpdate,
  updateFileName,
  updateManifest,
  type UpdateManifest,
  updateSignatureDomain,
} from '#shared/model/desktop-update.ts';

import { packageNamed } from './package-names.ts';

/** A new private key in PEM, encrypted if there is a passphrase. */
export function makeSigningKey(passphrase?: string): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const lock = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  return privateKey.export({ format: 'pem', type: 'pkcs8', ...lock }).toString();
}

/** Reads a key of `makeSigningKey`. @throws if the passphrase is missing or wrong, or it is another kind of key */
export function readSigningKey(pem: string, passphrase?: string): KeyObject {
  const isEncrypted = pem.includes('BEGIN ENCRYPTED PRIVATE KEY');
  if (isEncrypted && passphrase === undefined)
    throw new Error('The key is encrypted: set BENCHBOOK_UPDATE_PASSPHRASE to its passphrase');
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch (cause) {
    // The words of OpenSSL do not say which of the two it is.
    throw new Error(isEncrypted ? 'The passphrase of the key is wrong' : 'This is not a private key', {
      cause,
    });
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('This is not an Ed25519 key');
  return key;
}

/** The 32 bytes of the public key in base64, as `update-keys.json` lists them. */
export function publicKeyOf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** `update.json` of a manifest, signed with each key. */
export function signManifest(manifest: string, keys: readonly KeyObject[]): string {
  const bytes = Buffer.from(updateSignatureDomain + manifest);
  const signatures = keys.map((key) => ({
    key: createHash('sha256')
      .update(Buffer.from(publicKeyOf(key), 'base64'))
      .digest('hex')
      .slice(0, 16),
    signature: sign(null, bytes, key).toString('base64'),
  }));
  return `${JSON.stringify({ manifest, signatures } satisfies SignedUpdate, null, 2)}\n`;
}

export interface UpdateOptions {
  /** Folder with the packages of one version, as `npm run package` makes them. Other files are ignored. */
  artefacts: string;
  keys: readonly KeyObject[];
  /** When it was released, and when devices stop installing it; ms since 1970. */
  releasedAt: number;
  expiresAt: number;
  /** The oldest version that may update directly. */
  minimumVersion?: string;
  notes?: string;
  /** Accepts packages with another Electron than that of package.json, for trials. Default: false. */
  allowsFallback?: boolean;
}

/**
 * The manifest of the packages in a folder.
 * @throws if there is none, if they are of several versions, or if one has another Electron and that is not allowed
 */
export async function manifestOf(options: UpdateOptions): Promise<UpdateManifest> {
  const { artefacts: folder, releasedAt, expiresAt, minimumVersion = '0.0.0', notes = '' } = options;
  const found = readdirSync(folder).toSorted().flatMap(packageNamed);
  const versions = [...new Set(found.map(({ version }) => version))].toSorted(compareVersions);
  const [version] = versions;
  if (version === undefined) throw new Error(`There is no package of the desktop app in ${folder}`);
  if (versions.length > 1)
    throw new Error(`${folder} has packages of several versions: ${versions.join(', ')}`);
  const other = found.find(({ otherElectron }) => otherElectron !== null);
  if (other !== undefined && options.allowsFallback !== true)
    throw new Error(
      `${other.from} contains Electron ${other.otherElectron}, not that of package.json. Users must not get it: ` +
        'package the app again where Electron can be downloaded. For a trial, sign it with --allow-fallback',
    );
  const artefacts = [];
  for (const { from, version: _, otherElectron: __, ...described } of found) {
    const path = join(folder, from);
    artefacts.push({ ...described, size: statSync(path).size, sha256: await sha256Of(path) });
  }
  return updateManifest.parse({
    format: 1,
    app: desktopAppId,
    version,
    releasedAt: new Date(releasedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    minimumVersion,
    notes,
    artefacts,
  });
}

/** Copies the packages of a folder into `to`, and writes the signed `update.json` there last. */
export async function publishUpdate(to: string, options: UpdateOptions): Promise<UpdateManifest> {
  const manifest = await manifestOf(options);
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(options.artefacts))
    for (const { from, file } of packageNamed(name))
      copyFileSync(join(options.artefacts, from), join(to, file));
  const path = join(to, updateFileName);
  writeFileSync(`${path}.part`, signManifest(JSON.stringify(manifest, null, 2), options.keys));
  renameSync(`${path}.part`, path);
  return manifest;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
