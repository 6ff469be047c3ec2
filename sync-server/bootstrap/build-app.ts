import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Builds the desktop app, unless its output was made from the current sources. */
export async function buildAppIfStale(root: string, say: (line: string) => void): Promise<void> {
  const mark = join(root, 'desktop/out/.built-from');
  const sources = sourceHash(root);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === sources) return;
  say('Building the app …');
  const build = spawnSync(process.execPath, [join(root, 'desktop/build/build.ts')], {
    cwd: root,
    encoding: 'utf8',
  });
  if (build.status !== 0) {
    process.stderr.write(build.stdout + build.stderr);
    throw new Error('The app could not be built');
  }
  writeFileSync(mark, sources);
}

function sourceHash(root: string): string {
  const hash = createHash('sha256');
  const files = globSync(['desktop/**/*', 'shared/**/*', 'package-lock.json'], {
    cwd: root,
    exclude: (name) => name === 'desktop/out' || name.endsWith('/out'),
  });
  for (const file of files.toSorted()) {
    if (!/\.(ts|tsx|css|html|svg|json|woff2)$/.test(file)) continue;
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}
