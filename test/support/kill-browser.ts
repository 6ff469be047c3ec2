import { execFileSync } from 'node:child_process';

/** Kills all processes of the browser with this profile together, so that none can clean up. */
export function killBrowser(folder: string): void {
  const rows = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 1e8 }).split('\n');
  const own = rows.filter((row) => row.includes(`--user-data-dir=${folder}`));
  for (const row of own) {
    const pid = Number.parseInt(row, 10);
    if (pid !== process.pid) process.kill(pid, 'SIGKILL');
  }
}
