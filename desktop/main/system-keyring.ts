import type { SafeStorage } from './electron.ts';

/** What Electron uses on Linux without a keyring: a password that is the same everywhere, or none. */
const withoutKeyring = new Set(['basic_text', 'unknown']);

/** Seals the device key with the keyring of the system. No method throws. */
export class SystemKeyring {
  readonly #safeStorage: SafeStorage;
  readonly #platform: NodeJS.Platform;

  constructor(safeStorage: SafeStorage, platform: NodeJS.Platform) {
    this.#safeStorage = safeStorage;
    this.#platform = platform;
  }

  /** Whether there is a keyring. Electron knows it when the app is ready. */
  works(): boolean {
    try {
      if (!this.#safeStorage.isEncryptionAvailable()) return false;
      return this.#platform !== 'linux' || !withoutKeyring.has(this.#safeStorage.getSelectedStorageBackend());
    } catch {
      return false;
    }
  }

  /** The sealed key in base64; null if there is no keyring, or if it does not open what it sealed. */
  seal(key: Uint8Array): string | null {
    if (!this.works()) return null;
    try {
      const text = Buffer.from(key).toString('base64');
      const sealed = this.#safeStorage.encryptString(text);
      return this.#safeStorage.decryptString(sealed) === text ? sealed.toString('base64') : null;
    } catch {
      return null;
    }
  }

  /**
   * What the keyring makes of a sealed key; null if it fails. A replaced keyring may return anything, because not every
   * system authenticates what it decrypts: compare the fingerprint.
   */
  open(sealed: string): Uint8Array<ArrayBuffer> | null {
    try {
      const text = this.#safeStorage.decryptString(Buffer.from(sealed, 'base64'));
      return new Uint8Array(Buffer.from(text, 'base64'));
    } catch {
      return null;
    }
  }
}
