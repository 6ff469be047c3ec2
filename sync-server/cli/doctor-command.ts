import type { Command } from 'commander';

import { examine } from '#server/features/health/examine.ts';
import type { Finding } from '#server/features/health/finding.ts';

import { FoundFaults } from './answers.ts';
import { folderNamed, print, type Runner } from './terminal.ts';

const notes = `
The server may run or not. Nothing is changed. Ends with 0 when nothing is wrong, with 1 when something must be mended;
warnings do not count, unless with --strict.`;

const marks = { ok: 'ok     ', warning: 'WARNING', error: 'ERROR  ' } as const;

/** `benchbook doctor`. */
export function addDoctorCommand(program: Command, { terminal }: Runner): void {
  program
    .command('doctor')
    .description('Say what is wrong with this server, and what to do')
    .option('--thorough', 'also compare each index with its table; takes minutes for a large database')
    .option('--strict', 'end with 1 for warnings too')
    .option('--tls-cert <file>', 'certificate of the server (or BENCHBOOK_TLS_CERT)')
    .addHelpText('after', notes)
    .action(async (options: { thorough?: true; strict?: true; tlsCert?: string }, command: Command) => {
      const findings = await examine({
        dataDir: folderNamed(command, terminal),
        certFile: options.tlsCert ?? (terminal.env['BENCHBOOK_TLS_CERT'] || undefined),
        // oxlint-disable-next-line no-restricted-properties -- the clock of a command
        now: Date.now(),
        isThorough: options.thorough === true,
      });
      print(command, terminal, { data: { findings }, lines: findings.flatMap(linesOf) });
      const isWrong = ({ level }: Finding): boolean =>
        level === 'error' || (options.strict === true && level === 'warning');
      if (findings.some(isWrong)) throw new FoundFaults();
    });
}

function linesOf({ check, level, message, advice }: Finding): string[] {
  return [
    `${marks[level]}  ${check.padEnd(13)} ${message}`,
    ...(advice === undefined ? [] : [`${' '.repeat(23)}${advice}`]),
  ];
}
