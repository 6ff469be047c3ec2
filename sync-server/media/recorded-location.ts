import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { s3Location, type S3Location } from '#server/platform/s3-location.ts';

/**
 * A file in the data folder that says where the files of the site are if they are not there, for commands and later
 * starts. It is not in backups: a restored data folder has all files.
 */
const fileName = 'files-in-s3.json';

/** Where the server of a data folder has its files; null: in the data folder. */
export function recordedLocation(dataDir: string): S3Location | null {
  try {
    return s3Location.parse(JSON.parse(readFileSync(join(dataDir, fileName), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Records where the server has its files. */
export function recordLocation(dataDir: string, location: S3Location | null): void {
  const path = join(dataDir, fileName);
  if (location === null) {
    rmSync(path, { force: true });
    return;
  }
  writeFileSync(`${path}.new`, JSON.stringify(location), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
