// Runs before anything is installed, on whatever Node the machine has: plain JavaScript, nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const mark = `${root}node_modules/.benchbook-installed`;
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex');
const installed = existsSync(mark) ? readFileSync(mark, 'utf8') : '';

if (installed !== wanted) {
  process.stdout.write('Installing what is missing (once; takes a minute or two) …\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const run = spawnSync(npm, ['ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: root,
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
