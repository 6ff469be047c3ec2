import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Resource use of a process. */
export interface ProcessUse {
  seconds: number;
  /** Maximum resident memory of the process, bytes. */
  memory: number;
}

const mark = 'largest resident set: ';
const told = `process.on('exit', () => process.stderr.write('${mark}' + process.resourceUsage().maxRSS))`;

/** Runs a script of Node to its end. @throws Error with its output, unless it exits with 0 */
export async function runOf(script: string, args: readonly string[]): Promise<ProcessUse> {
  const preload = `data:text/javascript,${encodeURIComponent(told)}`;
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', preload, script, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = text(child.stderr);
  const [code] = (await once(child, 'close')) as [number | null];
  const said = await errors;
  const kilobytes = Number(said.slice(said.lastIndexOf(mark) + mark.length));
  if (code !== 0 || Number.isNaN(kilobytes)) throw new Error(`${args.join(' ')} ended with ${code}: ${said}`);
  return { seconds: (performance.now() - start) / 1000, memory: kilobytes * 1024 };
}
