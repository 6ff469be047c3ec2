import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A stand-in for the programs with which Linux opens addresses. */
export interface SystemOpener {
  /** The environment in which Electron finds it. */
  env: { PATH: string };
  /** The addresses that were passed to the system, in order. */
  opened: () => string[];
}

/** Makes the programs in a folder, which the account that runs the app may enter then. */
export function systemOpener(folder: string): SystemOpener {
  const programs = join(folder, 'bin');
  const log = join(folder, 'opened');
  chmodSync(folder, 0o755);
  mkdirSync(programs);
  writeFileSync(log, '');
  chmodSync(log, 0o666);
  for (const name of ['xdg-open', 'xdg-email'])
    writeFileSync(join(programs, name), `#!/bin/sh\nprintf '%s\\n' "$1" >> '${log}'\n`, { mode: 0o755 });
  return {
    env: { PATH: `${programs}:${process.env['PATH'] ?? ''}` },
    opened: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []),
  };
}
