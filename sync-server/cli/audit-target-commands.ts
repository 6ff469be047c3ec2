import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { Option, type Command } from 'commander';

import { headText } from '#server/features/audit/heads.ts';
import { everywhere, noteTarget, targetStates, type TargetName } from '#server/features/audit/targets.ts';
import { headOf } from '#server/storage/audit/recorder.ts';
import { sendSyslog, syslogMessage } from '#server/features/audit/syslog.ts';
import { wordsFor } from '#server/features/audit/head-sender.ts';
import { requestStamp } from '#server/features/audit/timestamp.ts';
import { BadSetting } from '#server/platform/config.ts';
import type { Services } from '#server/core/services.ts';
import { changeSite } from '#server/core/site.ts';
import type { AuditSyslog, AuditTimestamp } from '#server/core/site-settings.ts';

import { table, type Answer } from './answers.ts';
import type { Runner } from './terminal.ts';

/** Time limit of the test when a target is set, ms. */
const timeoutMs = 10_000;

const defaultPorts = { udp: 514, tcp: 601, tls: 6514 } as const;

interface Options {
  certificate?: string[];
  private?: true;
}

const privateOption = (): Option =>
  new Option('--private', 'the address is in a private network, and the server may call it there');

/** `benchbook audit syslog|timestamp|targets`. */
export function addTargetCommands(audit: Command, runner: Runner): void {
  audit
    .command('syslog')
    .description(
      'Tell a syslog receiver where the log ends, every hour and after 1,000 rows; "off" ends that',
    )
    .argument('<address>', 'such as tls://syslog.example.org:6514, tcp://… or udp://…')
    .option('--certificate <file...>', 'with tls: certificates (PEM) of who may vouch for the receiver')
    .addOption(privateOption())
    .action(runner.act(setSyslog));
  audit
    .command('timestamp')
    .description('Have a time-stamping authority (RFC 3161) stamp where the log ends; "off" ends that')
    .argument('<url>', 'such as https://timestamp.example.org/tsr')
    .option('--certificate <file...>', 'certificates (PEM) of the authority, or of who vouches for it')
    .addOption(privateOption())
    .action(runner.act(setTimestamp));
  audit
    .command('targets')
    .description('Show who is told where the log ends, what they took last, and what failed since')
    .action(runner.act(showTargets));
}

async function setSyslog(services: Services, address: string, options: Options): Promise<Answer> {
  if (address === 'off') return turnOff(services, 'syslog');
  const audit_syslog: AuditSyslog = {
    ...receiverOf(address),
    certificates: await certificatesIn(options.certificate ?? []),
    private: options.private === true,
  };
  if (options.certificate !== undefined && audit_syslog.transport !== 'tls')
    throw new BadSetting('Certificates are for an address that begins with tls://.');
  await mayCall(services, audit_syslog.host, audit_syslog.private);
  const head = await currentHead(services);
  const message = syslogMessage(headText(head), services.now());
  await trying('The syslog receiver', () =>
    sendSyslog(services.outbound, audit_syslog, message, { timeoutMs }),
  );
  await changeSite(services, { audit_syslog });
  await noteTarget(services, 'syslog', { told: { seq: head.seq, hash: head.hash, at: services.now() } });
  return {
    data: audit_syslog,
    lines: [
      `From now on ${address} gets the end of the audit log. Row ${head.seq} was sent: check there that it arrived.`,
      ...(audit_syslog.transport === 'udp' ? ['UDP does not report lost messages.'] : []),
    ],
  };
}

async function setTimestamp(services: Services, url: string, options: Options): Promise<Answer> {
  if (url === 'off') return turnOff(services, 'timestamp');
  const parsed = URL.parse(url);
  if (
    parsed === null ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.username !== '' ||
    parsed.password !== ''
  )
    throw new BadSetting('Name the authority by an address such as https://timestamp.example.org/tsr.');
  const certificates = await certificatesIn(options.certificate ?? []);
  if (certificates.length === 0)
    throw new BadSetting(
      'Name the certificate of the authority, or of who vouches for it, with --certificate.',
    );
  const audit_timestamp: AuditTimestamp = { url, certificates, private: options.private === true };
  await mayCall(services, parsed.hostname, audit_timestamp.private);
  const head = await currentHead(services);
  const { date } = await trying('The authority', () =>
    requestStamp(services.outbound, audit_timestamp, head.hash, {
      nonce: services.randomBytes(8),
      timeoutMs,
    }),
  );
  await changeSite(services, { audit_timestamp });
  await noteTarget(services, 'timestamp', { told: { seq: head.seq, hash: head.hash, at: services.now() } });
  return {
    data: audit_timestamp,
    lines: [
      `${url} stamps where the audit log ends, and stamped row ${head.seq} at ${date.toISOString()}.`,
      'The authority keeps no stamps: they are in the log of the server, and in the webhook event audit.stamped.',
    ],
  };
}

async function turnOff(services: Services, name: TargetName): Promise<Answer> {
  await changeSite(services, name === 'syslog' ? { audit_syslog: null } : { audit_timestamp: null });
  return { data: null, lines: [`audit ${name} is off.`] };
}

/** The parts of an address such as `tls://syslog.example.org:6514`. */
function receiverOf(address: string): Pick<AuditSyslog, 'transport' | 'host' | 'port'> {
  const url = URL.parse(address);
  const transport = url?.protocol.slice(0, -1);
  const isBare = url !== null && /^\/?$/.test(url.pathname) && url.search + url.hash + url.username === '';
  if (!isBare || url.hostname === '' || !isTransport(transport))
    throw new BadSetting('Name the receiver by an address such as tls://syslog.example.org:6514.');
  return {
    transport,
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port === '' ? defaultPorts[transport] : Number(url.port),
  };
}

function isTransport(text: string | undefined): text is AuditSyslog['transport'] {
  return text !== undefined && Object.hasOwn(defaultPorts, text);
}

async function mayCall({ outbound }: Services, host: string, isPrivate: boolean): Promise<void> {
  await outbound.addressOf(host, isPrivate ? everywhere : undefined).catch((cause: unknown) => {
    throw new BadSetting(`${wordsFor(cause)}. If it is meant, add --private.`, { cause });
  });
}

async function currentHead(services: Services) {
  const { id } = await services.identity.key();
  const time = new Date(services.now()).toISOString();
  return { server: id, ...(await headOf(services.storage.reader)), time };
}

/** Tests a target before it is stored. @throws BadSetting if that fails */
async function trying<T>(who: string, work: () => Promise<T>): Promise<T> {
  return work().catch((cause: unknown) => {
    throw new BadSetting(
      `${who} did not take the end of the audit log: ${wordsFor(cause)}. Nothing was changed.`,
      {
        cause,
      },
    );
  });
}

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates (PEM) in files. @throws BadSetting for a file without one */
export async function certificatesIn(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch((cause: unknown) => {
      throw new BadSetting(`${path} cannot be read.`, { cause });
    });
    const certificates = text.match(pem) ?? [];
    if (certificates.length === 0 || !certificates.every(isCertificate))
      throw new BadSetting(`${path} holds no X.509 certificate in PEM.`);
    found.push(...certificates);
  }
  return found;
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== '';
  } catch {
    return false;
  }
}

async function showTargets({ site, storage }: Services): Promise<Answer> {
  const states = await targetStates(storage.reader);
  const { audit_syslog, audit_timestamp } = site;
  const targets = [
    {
      target: 'syslog',
      address: audit_syslog && `${audit_syslog.transport}://${audit_syslog.host}:${audit_syslog.port}`,
      ...states.syslog,
    },
    { target: 'timestamp', address: audit_timestamp?.url ?? null, ...states.timestamp },
  ];
  const rows = targets.map(({ target, address, told, failed }) => [
    target,
    address ?? 'off',
    told === undefined ? 'nothing told yet' : `row ${told.seq}, ${new Date(told.at).toISOString()}`,
    failed === undefined
      ? ''
      : `failed ${failed.attempts} times since, last ${new Date(failed.at).toISOString()}: ${failed.reason}`,
  ]);
  return {
    data: targets,
    lines: [
      ...table(rows),
      'The log of the server has every head too; for webhooks see "benchbook webhook deliveries".',
    ],
  };
}
