import { openAsBlob } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

import type { PageFiles } from '#shared/formats/pages/page-pictures.ts';

/** The files in and below a folder. Paths and links that leave it lead nowhere. */
export function filesBeside(folder: string): PageFiles {
  return async (path) => {
    try {
      const root = await realpath(folder);
      const wanted = resolve(root, path);
      // Even a look at a path of another computer would call it.
      if (!isBelow(root, wanted)) return null;
      const found = await realpath(wanted);
      return isBelow(root, found) && (await stat(found)).isFile() ? await openAsBlob(found) : null;
    } catch (error) {
      if (error instanceof Error && 'code' in error) return null;
      throw error;
    }
  };
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
