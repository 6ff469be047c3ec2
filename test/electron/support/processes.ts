import { readdirSync, readFileSync } from 'node:fs';

/** What Linux says about each renderer of the app with this folder for user data (`/proc/PID/status`). */
export function rendererStatuses(userData: string): string[] {
  return renderersOf(userData).map((pid) => readProc(String(pid), 'status'));
}

/** The processes of the app with this folder for user data, on Linux. */
export function processesOf(userData: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readProc(name, 'cmdline').includes(`--user-data-dir=${userData}`))
    .map(Number);
}

/** The renderers of the app with this folder for user data, on Linux. */
export function renderersOf(userData: string): number[] {
  return readdirSync('/proc')
    .filter((name) => {
      const line = /^\d+$/.test(name) ? readProc(name, 'cmdline') : '';
      return line.includes('--type=renderer') && line.includes(userData);
    })
    .map(Number);
}

/** A file of a process; empty if the process has ended. */
function readProc(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
