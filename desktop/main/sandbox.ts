import type { CommandLine } from './electron.ts';
import type { Refusal } from './refused-start.ts';

/** Switches with which the system does not confine the page, or less. Electron adds the first one for a variable. */
const openings = ['no-sandbox', 'disable-seccomp-filter-sandbox', 'no-zygote-sandbox'];

/** Why the program must not start: a switch that takes away its sandbox; null if there is none. */
export function sandboxRefusal(commandLine: CommandLine): Refusal | null {
  const opening = openings.find((name) => commandLine.hasSwitch(name));
  if (opening === undefined) return null;
  return { why: 'sandbox', detail: `--${opening}` };
}
