import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

import { Option, type Command } from 'commander';

import { invalid } from '#shared/api/problem.ts';
import type { AgainstReport } from '#server/features/audit/against.ts';
import { acknowledgeGap } from '#server/features/audit/guard.ts';
import { readHeads } from '#server/features/audit/heads.ts';
import {
  csvHeading,
  csvLine,
  entryOf,
  everyAuditRow,
  listAudit,
  type AuditFilter,
} from '#server/features/audit/list.ts';
import { verifyAudit, type AuditReport } from '#server/features/audit/verify.ts';
import { BadSetting } from '#server/platform/config.ts';
import type { Services } from '#server/core/services.ts';

import { addTargetCommands, certificatesIn } from './audit-target-commands.ts';
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

interface VerifyOptions {
  json?: boolean;
  against?: string[];
  server?: string;
  certificate?: string[];
}

const verifyHelp = `
Without --against it finds rows that were edited, removed, added, copied or reordered without computing the
hashes again. It does not find a log whose newest rows were cut off, or that was written again with correct
hashes, if the file audit-anchors in the data folder was changed too. That needs no key.

With --against it finds that too, up to the newest head in the files, even if somebody had the server's
keys. Name files that were kept outside of this machine. You can name several; other lines are skipped:
  the log of the server, or what it printed when it started and stopped
  syslog as it was received (RFC 5424 or as plain lines)
  bodies of the webhook events audit.head and audit.stamped, one in a line or one in a file
  answers of "audit verify --json", and rows of "audit export --json"
  time stamps (RFC 3161, DER: .tsr or the token alone); --certificate names who signs them

Ends with 0 when everything fits, 1 when something does not or the files hold no head, 2 when the command was
not understood.`;

/**
 * `benchbook audit verify|list|export|acknowledge|syslog|timestamp|targets`.
 *
 * - CLI-15 `audit verify|list|export|acknowledge` reads the audit log (AUDIT-6 to AUDIT-9). `audit verify --against
 *   FILE` compares it with heads that were stored elsewhere, and ends with 1 if one does not match or there is none
 *   (AUDIT-14). `audit syslog|timestamp|targets` sets where its head is sent (AUDIT-16). `sign-on set|metadata|off`
 *   configures the identity provider (SIGN-ON-6).
 */
export function addAuditCommands(program: Command, runner: Runner): void {
  const audit = program.command('audit').description('The audit log: everything that changed on the server');
  audit
    .command('verify')
    .description(
      'Check every row against its hash and the one before; ends with 1 when something is not as it was',
    )
    .option('--against <file...>', 'compare it with heads that were kept outside of the server')
    .option('--server <id>', 'only heads of this server, where the files hold heads of several')
    .option(
      '--certificate <file...>',
      'certificates (PEM) of the time-stamping authority, or of who vouches for it; default: those that were set',
    )
    .addHelpText('after', verifyHelp)
    .action(
      runner.act(async (services, options: VerifyOptions) => verify(services, runner.terminal, options)),
    );
  addTargetCommands(audit, runner);
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

async function verify(services: Services, terminal: Terminal, options: VerifyOptions): Promise<Answer> {
  const outside = options.against === undefined ? undefined : await outsideOf(services, options);
  const report = await verifyAudit(services.storage.reader, services.anchors, outside);
  const { rows, head, anchored, against, findings } = report;
  const lines = [
    ...findings.map((one) => one.message),
    `${rows} rows; the last is row ${head.seq} with the hash ${head.hash}.`,
    anchored === null
      ? 'Its end was not noted outside of the database yet.'
      : `The last head noted outside the database is row ${anchored.seq}, ${new Date(anchored.at).toISOString()}.`,
    ...(against === null ? [] : againstLines(against, head.seq)),
    ...(findings.length === 0 ? soundLines(against) : brokenLines(report)),
  ];
  if (findings.length === 0) return { data: report, lines };
  if (options.json === true) terminal.out(JSON.stringify(report, null, 2));
  else for (const line of lines) terminal.out(line);
  throw new FoundFaults();
}

/** Heads from files, and the options for comparing them. @throws BadSetting */
async function outsideOf(
  { site }: Services,
  { against = [], server, certificate }: VerifyOptions,
): Promise<Parameters<typeof verifyAudit>[2]> {
  const kept = await readHeads(against).catch((cause: unknown) => {
    const path = cause instanceof Error && 'path' in cause ? String(cause.path) : against.join(', ');
    throw new BadSetting(`${path} cannot be read.`, { cause });
  });
  const isOurs = (one: { server: string | null }): boolean =>
    server === undefined || one.server === null || one.server === server;
  if (!kept.heads.some(isOurs) && kept.unreadable.length === 0)
    throw new BadSetting(
      `${against.join(', ')}: there is no head of an audit log${server === undefined ? '' : ` of the server ${server}`}; nothing was compared.`,
    );
  const certificates =
    certificate === undefined
      ? (site.audit_timestamp?.certificates ?? [])
      : await certificatesIn(certificate);
  if (certificates.length === 0 && kept.heads.some(({ token }) => token !== null))
    throw new BadSetting(
      'The files hold time stamps: give the certificate of their signer with --certificate.',
    );
  return { kept, options: { server, certificates } };
}

function againstLines(
  { heads, fit, stamps, unstamped, others, newest }: AgainstReport,
  last: number,
): string[] {
  const told = newest === null || newest.time === null ? '' : `, told ${newest.time}`;
  return [
    `${fit} of ${heads} heads from outside fit${stamps === 0 ? '' : `, ${stamps} of them with a time stamp that holds`}.`,
    ...unstamped.map(
      (place) =>
        `${place}: the time stamp was redacted or truncated; only the row number and hash next to it were compared.`,
    ),
    ...(others === 0 ? [] : [`${others} heads of other servers were left out.`]),
    ...(newest === null ? [] : [`The newest that fits is row ${newest.seq}${told} (${newest.place}).`]),
    ...(newest === null || newest.seq >= last
      ? []
      : [`The rows ${newest.seq + 1} to ${last} came later: none of the given heads covers them.`]),
  ];
}

function soundLines(against: AgainstReport | null): string[] {
  return against === null
    ? [
        'Every row fits the hashes in the data folder.',
        'Only heads from outside can show whether rows were truncated or rewritten with matching hashes: see --against.',
      ]
    : ['Every row fits the hashes in the data folder, and the heads from outside.'];
}

function brokenLines({ against, findings }: AuditReport): string[] {
  if (findings.every(({ about }) => about === 'files'))
    return [
      'Nothing contradicts the log, but the entries above could not be verified. Supply another copy of these files, or the right certificate.',
    ];
  if (against === null) return ['The log is not as it was written.'];
  return [
    'The log is not as it was written.',
    'Keep the data folder and the files as they are. Check a backup with the same files to find out what the rows were.',
    'If a restored backup explains this, heads sent after the restore vouch for every row before them: compare with those.',
  ];
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
