import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { create } from 'tar';

interface ArchiveOptions {
  /** Folder of the program that electron-builder packed. */
  program: string;
  /** Folder that the archive goes into. */
  to: string;
  version: string;
  /** Compresses little, in less time. */
  quick: boolean;
}

/** The folder in the archive, and the script in it that starts the app. */
const name = 'benchbook-desktop';

/**
 * Makes the archive for Linux; returns its path. Unpacked into a folder that a person may write to, the app in it installs
 * its updates by itself: it extracts `versions/VERSION` of a later archive, and `current` leads there from the next start
 * (`desktop/main/updates/linux-folder.ts`).
 */
export async function buildArchive({ program, to, version, quick }: ArchiveOptions): Promise<string> {
  const file = join(to, `${name}-${version}-linux-${process.arch}.tar.gz`);
  const tree = mkdtempSync(join(to, 'archive-'));
  try {
    const root = join(tree, name);
    mkdirSync(join(root, 'versions'), { recursive: true });
    // Links instead of copies of 300 MB.
    execFileSync('cp', ['-al', program, join(root, 'versions', version)]);
    symlinkSync(`versions/${version}`, join(root, 'current'));
    copyFileSync(join(import.meta.dirname, 'linux-launcher.sh'), join(root, name));
    await create(
      {
        cwd: tree,
        file,
        gzip: { level: quick ? 1 : 9 },
        portable: true,
        // The helper of the sandbox is setuid only where it belongs to root.
        onWriteEntry: ({ stat }) => {
          if (stat !== undefined) stat.mode &= 0o777;
        },
      },
      [name],
    );
    return file;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}
