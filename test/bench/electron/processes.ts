import { readdirSync, readFileSync } from 'node:fs';

/**
 * Memory of a process and its descendants, bytes. Pages that several of them share are counted once ("Pss" in
 * `/proc/PID/smaps_rollup`; proc(5)). Linux only.
 */
export function memoryOf(pid: number): number {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    const parent = Number(readProc(name, 'stat').split(') ')[1]?.split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const sum = (one: number): number => {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(readProc(String(one), 'smaps_rollup')) ?? [];
    return (children.get(one) ?? []).reduce((total, child) => total + sum(child), Number(kilobytes) * 1024);
  };
  return sum(pid);
}

/** A file of a process; empty if the process has ended. */
function readProc(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
