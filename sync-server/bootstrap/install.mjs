// Runs before anything is installed, on whatever Node the machine has: plain JavaScript, nothing but Node itself.
// Arguments: further folders whose packages are needed, such as test/postgres.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

for (const folder of [root, ...process.argv.slice(2).map((path) => `${root}${path}/`)]) install(folder);

/** @param {string} folder with its package-lock.json; ends with a slash */
function install(folder) {
  const mark = `${folder}node_modules/.benchbook-installed`;
  const wanted = createHash('sha256')
    .update(readFileSync(`${folder}package-lock.json`))
    .digest('hex');
  const installed = existsSync(mark) ? readFileSync(mark, 'utf8') : '';
  if (installed === wanted) return;
  process.stdout.write('Installing what is missing (once; takes a minute or two) …\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const run = spawnSync(npm, ['ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (run.status !== 0) {
    process.stdout.write(
      'The packages could not be installed. Check the network and run the command again.\n',
    );
    process.exit(1);
  }
  writeFileSync(mark, wanted);
}
