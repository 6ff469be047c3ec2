import * as nodeFiles from 'node:fs';

/**
 * The file calls of Node. Electron's own take a file that is named `*.asar` for a folder, so they could not write the
 * archive of the app. `original-fs` exists only in Electron.
 */
export const plainFiles = (
  (process.getBuiltinModule('original-fs') as typeof nodeFiles | undefined) ?? nodeFiles
).promises;

export type Files = typeof plainFiles;

const { O_CREAT, O_NOFOLLOW, O_RDONLY, O_RDWR } = nodeFiles.constants;

/** Flags for reading or writing a file that must not be a link. Windows has no `O_NOFOLLOW`. */
export const noLink = { read: O_RDONLY | (O_NOFOLLOW ?? 0), write: O_RDWR | O_CREAT | (O_NOFOLLOW ?? 0) };

/** Makes the entries of a folder durable. Windows has no fsync for folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using opened = await plainFiles.open(folder, 'r');
  await opened.sync();
}

/** Replaces a small file: afterwards it has the old or the new text, and the new one for good once this resolves. */
export async function replaceFile(folder: string, name: string, text: string | Uint8Array): Promise<void> {
  const path = `${folder}/${name}`;
  await plainFiles.rm(`${path}.tmp`, { force: true });
  {
    await using file = await plainFiles.open(`${path}.tmp`, 'wx', 0o600);
    await file.writeFile(text);
    await file.sync();
  }
  await plainFiles.rename(`${path}.tmp`, path);
  await syncFolder(folder);
}
