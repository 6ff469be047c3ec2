import { z } from 'zod';

/** The app that updates are for: `appId` in electron-builder.yml. */
export const desktopAppId = 'org.benchbook.desktop';

/** Name of the file that describes an update. */
export const updateFileName = 'update.json';

/** Put before the manifest when it is signed, so that no signature for another purpose counts here. */
export const updateSignatureDomain = 'benchbook desktop update 1\n';

/** Longest `update.json`, bytes. */
export const mostUpdateFileBytes = 256 * 1024;

/** Three numbers, such as 1.12.0. Nothing may follow them, so that two versions always have one order. */
export const desktopVersion = z.string().regex(/^(?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){2}$/);

/** A plain file name without a path, which also needs no encoding in an address. */
export const artefactName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/)
  .refine((name) => name !== updateFileName, 'Reserved for the manifest');

/**
 * A package of a version. `folder`: a tar.gz of the program's folder, which the app installs by itself on Linux. The other
 * kinds are installed by a person.
 */
const artefact = z.object({
  platform: z.enum(['linux', 'win32', 'darwin']),
  arch: z.enum(['x64', 'arm64']),
  kind: z.enum(['folder', 'deb', 'appimage', 'nsis', 'dmg']),
  file: artefactName,
  /** Bytes. */
  size: z
    .int()
    .positive()
    .max(2 * 1024 ** 3),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * What the publisher signs. `expiresAt` bounds how long a server can withhold a newer version without being noticed.
 * `minimumVersion`: the oldest version that may update directly. Unknown properties are ignored, so that a publisher can
 * add some; another `format` is not read.
 */
export const updateManifest = z
  .object({
    format: z.literal(1),
    app: z.string().max(200),
    version: desktopVersion,
    releasedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    minimumVersion: desktopVersion,
    notes: z.string().max(10_000),
    artefacts: z.array(artefact).min(1).max(50),
  })
  .refine(
    ({ artefacts }) => allDiffer(artefacts.map(({ file }) => file)),
    'Two artefacts have the same file name',
  )
  .refine(
    ({ artefacts }) => allDiffer(artefacts.map(({ platform, arch, kind }) => `${platform} ${arch} ${kind}`)),
    'Two artefacts are for the same computers',
  );

export type UpdateManifest = z.output<typeof updateManifest>;
export type UpdateArtefact = UpdateManifest['artefacts'][number];

/** Fingerprint of a public key: the first 16 hexadecimal digits of the SHA-256 of its 32 bytes. */
const keyId = z.string().regex(/^[0-9a-f]{16}$/);

/**
 * `update.json`. `manifest` is the text that was signed, as JSON. Manifest and signatures are in one file, so that a server
 * cannot deliver those of two updates while it replaces them.
 */
export const signedUpdate = z.object({
  manifest: z.string(),
  /** Ed25519 over `updateSignatureDomain` and the text of the manifest in UTF-8, base64. */
  signatures: z
    .array(z.object({ key: keyId, signature: z.base64().length(88) }))
    .min(1)
    .max(10),
});

export type SignedUpdate = z.output<typeof signedUpdate>;

/**
 * `update-keys.json` in the package of the app: the publisher's public keys (32 bytes each, base64). An update needs the
 * signature of one of them. An empty list switches updates off.
 */
export const updateKeys = z.array(z.base64().length(44)).max(10);

/** Negative if `a` is the older version, positive if it is the newer one, 0 if they are the same. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (const [index, number] of (left ?? []).entries()) {
    const difference = number - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function allDiffer(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
