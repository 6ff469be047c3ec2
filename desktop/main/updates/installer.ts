import type { UpdateArtefact } from '#shared/model/desktop-update.ts';

/** A version that is on the disk and is not in use yet. */
export interface PreparedVersion {
  /** Makes it the version of the next start. It takes effect completely or not at all. */
  activate(): Promise<void>;
  discard(): Promise<void>;
}

/** Installs packages without help. */
export interface Installer {
  /** The program to start after the installation. */
  program: string;
  /** Puts a version beside the running one, from all bytes of its package. Throws if the bytes throw. */
  prepare(version: string, chunks: AsyncIterable<Uint8Array>): Promise<PreparedVersion>;
  /**
   * Called when the running version shows its first screen: from then on it is not replaced by the one before. Returns the
   * version that did not start and was left for this one.
   */
  confirm(): Promise<string | null>;
}

/**
 * How the running copy of the app gets another version. `app`: by itself. `administrator`: the app downloads and verifies
 * the package, and somebody with the rights installs it. `person`: the app says that there is a version, and where.
 */
export type Installation =
  | { by: 'app'; kind: 'folder'; installer: Installer }
  | { by: 'administrator'; kind: 'deb' }
  | { by: 'person'; kinds: readonly UpdateArtefact['kind'][] };
