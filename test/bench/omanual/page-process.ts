import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process, bytes. */
export interface Resident {
  pid: number;
  now: number;
  /** Since the process began, or since `forgetPeak`. */
  peak: number;
}

/** Resets the peak of a process. */
export function forgetPeak({ pid }: Pick<Resident, 'pid'>): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The Chromium process that shows the page of a profile: the largest of its pages. Null without Linux's `/proc`. */
export function largestPage(profile: string): Resident | null {
  const processes = processesNow();
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

/** The child processes of a process. Empty without Linux's `/proc`. */
export function childrenOf(pid: number): number[] {
  return processesNow()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid);
}

/** The memory of a process; undefined if it ended, and without Linux's `/proc`. */
export function residentOf(pid: number): Resident | undefined {
  return processesNow().find((one) => one.pid === pid)?.resident;
}

interface Process {
  pid: number;
  parent: number;
  command: string;
  resident: Resident;
}

function processesNow(): Process[] {
  if (process.platform !== 'linux') return [];
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
