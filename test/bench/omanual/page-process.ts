import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process, bytes. */
export interface Resident {
  pid: number;
  now: number;
  /** Since the process began, or since `forgetPeak`. */
  peak: number;
}

/** Resets the peak of a process. */
export function forgetPeak({ pid }: Resident): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The Chromium process that shows the page of a profile: the largest of its pages. Null without Linux's `/proc`. */
export function largestPage(profile: string): Resident | null {
  const processes = process.platform === 'linux' ? processesNow() : [];
  const [browser] = processes
    .filter(({ command }) => command.includes(profile))
    .toSorted((a, b) => a.pid - b.pid);
  if (browser === undefined) return null;
  const family = new Set([browser.pid]);
  for (const { pid, parent } of processes.toSorted((a, b) => a.pid - b.pid))
    if (family.has(parent)) family.add(pid);
  const pages = processes.filter(
    ({ pid, command }) => family.has(pid) && command.includes('--type=renderer'),
  );
  return pages.map(({ resident }) => resident).toSorted((a, b) => b.peak - a.peak)[0] ?? null;
}

interface Process {
  pid: number;
  parent: number;
  command: string;
  resident: Resident;
}

function processesNow(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        const number = (field: string): number =>
          Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
        const resident = { pid: Number(name), now: number('VmRSS') * 1024, peak: number('VmHWM') * 1024 };
        return [{ pid: Number(name), parent: number('PPid'), command, resident }];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
}
