import { readdirSync, readFileSync } from 'node:fs';

/** Ticks a second of the times in `/proc`. */
const ticks = 100;

/** Processor time of a process and its children so far, ms. Linux only. */
export function processorOfTree(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((one) => one !== null && (one.pid === pid || one.parent === pid));
  return children.reduce((sum, one) => sum + (one?.ms ?? 0), 0);
}

function statOf(pid: number): { pid: number; parent: number; ms: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    // Fields 4 (parent), 14 to 17 (own and reaped children's user and system time) of proc(5).
    const [user = 0, system = 0, ofUser = 0, ofSystem = 0] = fields.slice(11, 15);
    return { pid, parent: fields[1] ?? 0, ms: ((user + system + ofUser + ofSystem) * 1000) / ticks };
  } catch {
    return null;
  }
}
