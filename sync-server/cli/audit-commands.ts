import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

import { Option, type Command } from 'commander';

import { invalid } from '#shared/api/problem.ts';
import { acknowledgeGap } from '#server/audit/guard.ts';
import {
  csvHeading,
  csvLine,
  entryOf,
  everyAuditRow,
  listAudit,
  type AuditFilter,
} from '#server/audit/list.ts';
import { verifyAudit } from '#server/audit/verify.ts';
import { BadSetting } from '#server/config.ts';
import type { Services } from '#server/http/context.ts';

import { FoundFaults, table, type Answer, type Terminal } from './answers.ts';
import type { Runner } from './terminal.ts';

interface FilterOptions {
  user?: string;
  action?: string;
  object?: string;
  refused?: boolean;
  since?: string;
  until?: string;
  limit?: string;
  json?: boolean;
}

/** `benchbook audit verify|list|export|acknowledge`. */
export function addAuditCommands(program: Command, runner: Runner): void {
  const audit = program.command('audit').description('The audit log: everything that changed on the server');
  audit
    .command('verify')
    .description(
      'Check every row against its hash and the one before; ends with 1 when something is not as it was',
    )
    .action(
      runner.act(async (services, options: { json?: boolean }) => verify(services, runner.terminal, options)),
    );
  filtered(audit.command('list').description('List rows, newest first'))
    .option('--limit <number>', 'how many', '50')
    .action(runner.act(list));
  filtered(
    audit
      .command('export')
      .description('Write rows to a file, oldest first: CSV, or JSON lines with --json')
      .argument('<file>'),
  ).action(runner.act(exportRows));
  audit
    .command('acknowledge')
    .description('Say why the log does not go on from where it had ended, such as a restored backup')
    .argument('<reason>')
    .action(
      runner.act(async (services, reason: string) => {
        if (reason.trim() === '') throw invalid('reason', 'say why');
        const { seq } = await acknowledgeGap(services, reason.trim());
        return { data: { seq, reason }, lines: [`Row ${seq} says why.`] };
      }),
    );
}

function filtered(command: Command): Command {
  return command
    .option('--user <userid>', 'of one person')
    .option('--action <name>', 'of one action, such as "PATCH /guides/{guideid}"')
    .option('--object <kind[:id]>', 'about one kind of record, or one record, such as guide:61')
    .option('--since <date>', 'from this date on (UTC), such as 2026-05-04 or 2026-05-04T08:00Z')
    .option('--until <date>', 'before this date (UTC)')
    .addOption(new Option('--refused', 'only attempts that were turned down'));
}

function filterOf(options: FilterOptions): AuditFilter {
  const [object, ...id] = options.object?.split(':') ?? [];
  const userid = options.user === undefined ? undefined : Number(options.user);
  if (userid !== undefined && !Number.isSafeInteger(userid))
    throw invalid('user', 'name a person by the userid');
  return {
    userid,
    action: options.action,
    object,
    objectid: id.length === 0 ? undefined : id.join(':'),
    outcome: options.refused === true ? 'refused' : undefined,
    since: secondsOf('since', options.since),
    until: secondsOf('until', options.until),
  };
}

function secondsOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid(name, 'name a date such as 2026-05-04');
  return Math.floor(ms / 1000);
}

async function verify(services: Services, terminal: Terminal, { json }: { json?: boolean }): Promise<Answer> {
  const report = await verifyAudit(services.storage.reader, services.anchors);
  const { rows, head, anchored, findings } = report;
  const lines = [
    ...findings.map((one) => one.message),
    `${rows} rows; the last is row ${head.seq} with the hash ${head.hash}.`,
    anchored === null
      ? 'Its end was not noted outside of the database yet.'
      : `Its end was noted outside of the database last at row ${anchored.seq}, ${new Date(anchored.at).toISOString()}.`,
    findings.length === 0 ? 'Every row is as it was written.' : 'The log is not as it was written.',
  ];
  if (findings.length === 0) return { data: report, lines };
  if (json === true) terminal.out(JSON.stringify(report, null, 2));
  else for (const line of lines) terminal.out(line);
  throw new FoundFaults();
}

async function list({ storage }: Services, options: FilterOptions): Promise<Answer> {
  const limit = Number(options.limit);
  if (!Number.isSafeInteger(limit) || limit < 1) throw invalid('limit', 'must be 1 or more');
  const entries = await listAudit(storage.reader, filterOf(options), { limit, offset: 0 });
  const rows = entries.map((one) => [
    String(one.seq),
    one.time,
    one.userid === null ? one.name : `${one.name} (${one.userid})`,
    one.outcome,
    one.action,
    one.objectid === '' ? one.object : `${one.object}:${one.objectid}`,
  ]);
  return { data: entries, lines: rows.length === 0 ? ['No row matches.'] : table(rows) };
}

async function exportRows({ storage }: Services, path: string, options: FilterOptions): Promise<Answer> {
  const file = createWriteStream(path, { flags: 'wx' });
  await once(file, 'open').catch((cause: unknown) => {
    throw new BadSetting(`${path} cannot be written, or is there already.`, { cause });
  });
  let rows = 0;
  const put = async (line: string): Promise<void> => {
    if (!file.write(`${line}\r\n`)) await once(file, 'drain');
  };
  if (options.json !== true) await put(csvHeading);
  for await (const row of everyAuditRow(storage.reader, filterOf(options))) {
    await put(options.json === true ? JSON.stringify(entryOf(row)) : csvLine(row));
    rows += 1;
  }
  file.end();
  await once(file, 'close');
  return { data: { file: path, rows }, lines: [`${rows} rows are in ${path}.`] };
}
