import { chownSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/** Electron refuses to run with its sandbox as root, so root runs it as this account: `nobody`. */
export const unprivileged = { uid: 65_534, gid: 65_534 };

export const isRoot = process.getuid?.() === 0;

/** Makes a folder of the account that runs the app. */
export function ownedFolder(parent: string, name: string): string {
  const path = mkdtempSync(join(parent, `${name}-`));
  if (isRoot) chownSync(path, unprivileged.uid, unprivileged.gid);
  return path;
}
