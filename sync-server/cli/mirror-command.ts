import type { Command } from 'commander';

import { BadSetting } from '#server/platform/config.ts';
import type { Services } from '#server/core/services.ts';
import { mirrorSite } from '#server/features/mirror-site/mirror.ts';
import { reportLines, type MirrorReport } from '#server/features/mirror-site/report.ts';

import { FoundFaults, otherCommand, type Answer, type Terminal } from './answers.ts';
import { barOf } from './bar.ts';
import { readSecret, type Runner } from './terminal.ts';

interface MirrorCommandOptions {
  token?: string;
  site?: string;
  dryRun?: boolean;
  json?: boolean;
}

const notes = `
Copies people, teams, pages, guides with their media, tags, comments, forms and the work log, as far as the token may
read them. Run it again to bring what changed there; a run that was interrupted goes on with the next one. What was
changed here is never overwritten or deleted. Ends with 1 if the site stopped answering.

Examples:
  benchbook mirror https://guides.example.org --token -     (reads the token from standard input)
  BENCHBOOK_MIRROR_TOKEN=… benchbook mirror https://guides.example.org
  benchbook mirror https://guides.example.org --dry-run`;

/** `benchbook mirror`. */
export function addMirrorCommand(program: Command, runner: Runner): void {
  program
    .command('mirror')
    .description('Copy another site with this API here, or bring what changed there since')
    .argument('<url>', 'address of the site')
    .option(
      '--token <token>',
      'token for its API; "-" reads it from standard input (or BENCHBOOK_MIRROR_TOKEN)',
    )
    .option('--site <name>', 'name under which it was copied before, if its address has changed')
    .option('--dry-run', 'only report what would be done')
    .addHelpText('after', notes)
    .action(
      runner.act((services, url: string, options: MirrorCommandOptions) =>
        mirror(services, runner.terminal, url, options),
      ),
    );
}

/**
 * - CLI-16 `mirror` reads the token from standard input with `--token -`, or from the environment, so that it is not in the
 *   list of processes.
 */
async function mirror(
  services: Services,
  terminal: Terminal,
  url: string,
  options: MirrorCommandOptions,
): Promise<Answer> {
  using lock = services.archives.lockForCommand();
  if (lock === null) throw new BadSetting(otherCommand);
  const named = options.token ?? (terminal.env['BENCHBOOK_MIRROR_TOKEN'] || null);
  const token = named === '-' ? await readSecret(terminal) : named;
  const isJson = options.json === true;
  using bar = barOf(terminal, isJson);
  const report = await mirrorSite(services, {
    url,
    token,
    site: options.site,
    dryRun: options.dryRun,
    waits: (words) => terminal.err(words),
    progress: (phase, done, total) => bar.show({ phase, done, total }),
  });
  const answer = { data: report, lines: reportLines(report) };
  if (report.stopped !== null) endWithFault(terminal, report, isJson);
  return answer;
}

/** Prints the report of a run that did not come to its end, and ends with 1. */
function endWithFault(terminal: Terminal, report: MirrorReport, isJson: boolean): never {
  if (isJson) terminal.out(JSON.stringify(report, null, 2));
  else for (const line of reportLines(report)) terminal.out(line);
  throw new FoundFaults();
}
