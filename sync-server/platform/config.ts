import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import ipaddr from 'ipaddr.js';
import { z } from 'zod';

import { bucketNamed, s3Location } from './s3-location.ts';
import packageFile from '../../package.json' with { type: 'json' };

/** Version of this program, such as `1.2.0`. */
export const programVersion: string = packageFile.version;

/** A setting that cannot be used. The message is one plain sentence for the person who starts the server. */
export class BadSetting extends Error {
  override name = 'BadSetting';
}

const port = z.coerce.string().regex(/^\d+$/).transform(Number).pipe(z.int().max(65_535));

/** One port or a range, such as 4021-4120. */
const ports = z.coerce
  .string()
  .regex(/^\d+(-\d+)?$/)
  .transform((text) => text.split('-').map(Number))
  .pipe(z.tuple([z.int().max(65_535)], z.int().max(65_535)))
  .transform(([first, last]) => ({ first, last: last ?? Math.min(65_535, first + portsOfModules - 1) }))
  .refine(({ first, last }) => first <= last);

/** Number of module ports if only the first port, or none, is configured. */
export const portsOfModules = 100;

/** Whether a text is a network such as `10.0.0.0/8`, or one address. */
function isNetwork(text: string): boolean {
  return ipaddr.isValidCIDR(text) || (ipaddr.isValid(text) && !text.includes('%'));
}

const settings = z.strictObject({
  host: z.string().min(1),
  port,
  /** Ports of training modules, one for each. With `moduleOrigin`, only the first one is used, for all modules. */
  modulePorts: ports.optional(),
  /** A host name with a wildcard for the module: `https://*.modules.example.org`. */
  moduleOrigin: z
    .string()
    .regex(/^https?:\/\/\*(\.[a-z\d-]+)+(:\d+)?\/?$/i)
    .transform((text) => text.toLowerCase().replace(/\/$/, ''))
    .optional(),
  data: z.string().min(1),
  /** Address of a PostgreSQL database; undefined: SQLite, in the data folder. */
  database: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Where files are; null: in the data folder; undefined: as at the start before. */
  blobs: s3Location.nullable().optional(),
  /** Folder of scheduled backups, absolute; undefined: there are none. */
  backup: z.string().min(1).optional(),
  /** Key file with which they are encrypted. */
  backupKey: z.string().min(1).optional(),
  /** With it programs of other machines may read `/metrics`. */
  metricsToken: z.string().min(16).optional(),
  tlsCert: z.string().optional(),
  tlsKey: z.string().optional(),
  /** File for the log, absolute; undefined: standard output. */
  logFile: z.string().min(1).optional(),
  logLevel: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug']),
  /** Origins at which people reach the server, beside the site's address. */
  origins: z.array(z.url({ protocol: /^https?$/ }).transform((text) => new URL(text).origin)),
  /** Networks of trusted proxies: their forwarding headers are trusted. */
  trustProxy: z.array(z.string().refine(isNetwork)),
  /** Fill an empty database with the demo content. */
  demo: z.boolean(),
  /** Open a window once the server is ready. */
  open: z.boolean(),
});

/** Settings of one start of the server. `data` is absolute. */
export type Config = z.infer<typeof settings>;

/** What `--help` prints. */
export const usage = `Usage: npm start -- [options]

  --data DIR        folder of database and media (or BENCHBOOK_DATA; default: the user's data folder)
  --database URL    PostgreSQL database instead of SQLite in the data folder, which several servers can share, such
                    as postgres://benchbook@db.example.org/benchbook (or BENCHBOOK_DATABASE; the password can be
                    in PGPASSWORD or in ~/.pgpass). Each server needs a data folder of its own. It is filled
                    with demo content only with --demo
  --blobs s3://BUCKET/PREFIX
                    keep pictures, documents and videos in S3 (or BENCHBOOK_BLOBS); "files" means the data folder
                    again. What is in the other place is copied at the start. Credentials and the region come
                    from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, as for other programs
  --s3-endpoint URL address of another S3 server (or BENCHBOOK_S3_ENDPOINT)
  --s3-path-style   the name of the bucket is in the path of addresses, as many other servers need it (or
                    BENCHBOOK_S3_PATH_STYLE=1)
  --s3-redirects    send clients to S3 for large files (or BENCHBOOK_S3_REDIRECTS=1)
  --backup DIR      back up to this folder by the schedule in the settings of the site (or BENCHBOOK_BACKUP);
                    use another disk, or a network share
  --backup-key FILE key file with which backups are encrypted (or BENCHBOOK_BACKUP_KEY); "benchbook backup-key"
                    makes one
  --port PORT       port to listen on (or BENCHBOOK_PORT; default 4020)
  --host HOST       address to listen on (default 127.0.0.1)
  --module-port FIRST-LAST
                    ports of training modules, one for each (or BENCHBOOK_MODULE_PORT; default: the 100 ports
                    after --port). FIRST alone means 100 ports from there
  --module-origin https://*.HOST
                    host names of training modules, one for each, behind a proxy (or BENCHBOOK_MODULE_ORIGIN).
                    All must lead to the first module port
  --origin URL      how devices reach the server, such as https://guides.example.org; may be given more than
                    once (or BENCHBOOK_ORIGINS, with commas). The server proves itself to them there
  --trust-proxy CIDR
                    address or network of a reverse proxy, such as 10.0.0.5; can be repeated (or
                    BENCHBOOK_TRUST_PROXY, separated by commas). X-Forwarded-For, -Proto and -Host are trusted
                    only from there; otherwise all clients behind the proxy share the limits of one address
  --tls-cert FILE   certificate in PEM, together with --tls-key: serve https (or BENCHBOOK_TLS_CERT)
  --tls-key FILE    private key in PEM (or BENCHBOOK_TLS_KEY)
  BENCHBOOK_METRICS_TOKEN
                    with it as a bearer token, programs of other machines may read /metrics; those of this
                    machine need none
  --log-level LEVEL silent, fatal, error, warn, info or debug (default warn)
  --log-file FILE   write the log into files instead of standard output: server.log becomes
                    server.DATE.NUMBER.log. A new one begins each day and at 50 MB, and 30 are kept
                    (BENCHBOOK_LOG_FILE)
  --demo            fill an empty PostgreSQL database with the demo content
  --no-demo         start empty instead of with the demo content. The server then prints an address and a
                    code, with which to make the first administrator. Without a browser:
                    benchbook user create --name NAME --email ADDRESS --admin
  --no-open         do not open a window
  --help            print this
`;

/**
 * The settings from arguments, then environment, then defaults; null if `--help` is given.
 *
 * - START-1 Invalid settings are refused with one plain sentence.
 * @throws BadSetting
 */
export function readConfig(
  args: string[],
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Config | null {
  const values = parse(args);
  if (values.help === true) return null;
  // An empty variable counts as not set.
  const chosen = (name: string): string | undefined => env[name] || undefined;
  const parsed = settings.safeParse({
    host: values.host ?? chosen('BENCHBOOK_HOST') ?? '127.0.0.1',
    port: values.port ?? chosen('BENCHBOOK_PORT') ?? 4020,
    modulePorts: values['module-port'] ?? chosen('BENCHBOOK_MODULE_PORT'),
    moduleOrigin: values['module-origin'] ?? chosen('BENCHBOOK_MODULE_ORIGIN'),
    data: resolve(values.data ?? chosen('BENCHBOOK_DATA') ?? defaultDataDir(env, platform)),
    database: databaseOf(values.database, env),
    blobs: blobsOf(values, chosen),
    backup: absolute(values.backup ?? chosen('BENCHBOOK_BACKUP')),
    backupKey: absolute(values['backup-key'] ?? chosen('BENCHBOOK_BACKUP_KEY')),
    origins: values.origin ?? chosen('BENCHBOOK_ORIGINS')?.split(/[\s,]+/) ?? [],
    trustProxy: values['trust-proxy'] ?? chosen('BENCHBOOK_TRUST_PROXY')?.split(/[\s,]+/) ?? [],
    metricsToken: chosen('BENCHBOOK_METRICS_TOKEN'),
    tlsCert: values['tls-cert'] ?? chosen('BENCHBOOK_TLS_CERT'),
    tlsKey: values['tls-key'] ?? chosen('BENCHBOOK_TLS_KEY'),
    logFile: absolute(values['log-file'] || chosen('BENCHBOOK_LOG_FILE')),
    logLevel: values['log-level'] ?? chosen('BENCHBOOK_LOG_LEVEL') ?? 'warn',
    demo:
      values['no-demo'] !== true && (values.demo === true || databaseOf(values.database, env) === undefined),
    open: values['no-open'] !== true,
  });
  if (!parsed.success) throw new BadSetting(sentence(parsed.error.issues[0]));
  const config = parsed.data;
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined)) {
    throw new BadSetting('--tls-cert and --tls-key go together: name both or neither.');
  }
  if (config.backupKey !== undefined && config.backup === undefined)
    throw new BadSetting('--backup-key needs --backup: name the folder of the backups too.');
  return config;
}

/** The address of the database that an option or the environment names; undefined: SQLite. */
export function databaseOf(option: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  return option ?? (env['BENCHBOOK_DATABASE'] || undefined);
}

/** The address of a database without its password, for messages. */
export function shownDatabase(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  shown.search = '';
  return shown.href;
}

/** Where files are, from arguments and environment. Another text than `s3://…` or `files` stays, and is refused. */
function blobsOf(values: ReturnType<typeof parse>, chosen: (name: string) => string | undefined): unknown {
  const text = values.blobs ?? chosen('BENCHBOOK_BLOBS');
  if (text === undefined || text === 'files') return text === undefined ? undefined : null;
  const endpoint = values['s3-endpoint'] ?? chosen('BENCHBOOK_S3_ENDPOINT');
  // Other servers take any region.
  const region =
    chosen('AWS_REGION') ??
    chosen('AWS_DEFAULT_REGION') ??
    (endpoint === undefined ? undefined : 'us-east-1');
  return {
    ...bucketNamed(text),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    pathStyle: values['s3-path-style'] ?? chosen('BENCHBOOK_S3_PATH_STYLE') === '1',
    redirects: values['s3-redirects'] ?? chosen('BENCHBOOK_S3_REDIRECTS') === '1',
  };
}

function absolute(path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(path);
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        database: { type: 'string' },
        demo: { type: 'boolean' },
        blobs: { type: 'string' },
        's3-endpoint': { type: 'string' },
        's3-path-style': { type: 'boolean' },
        's3-redirects': { type: 'boolean' },
        backup: { type: 'string' },
        'backup-key': { type: 'string' },
        data: { type: 'string' },
        'module-port': { type: 'string' },
        'module-origin': { type: 'string' },
        port: { type: 'string' },
        host: { type: 'string' },
        origin: { type: 'string', multiple: true },
        'trust-proxy': { type: 'string', multiple: true },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        'log-level': { type: 'string' },
        'log-file': { type: 'string' },
        'no-demo': { type: 'boolean' },
        'no-open': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split('. ')[0] ?? '') : String(cause);
    throw new BadSetting(`${message}; --help lists the options.`);
  }
}

function sentence(issue: z.core.$ZodIssue | undefined): string {
  const name = String(issue?.path[0] ?? 'setting');
  if (name === 'port') return 'The port must be a number between 0 and 65535.';
  if (name === 'modulePorts')
    return 'The module ports must be numbers between 0 and 65535, such as 4021-4120.';
  if (name === 'moduleOrigin')
    return 'Each module needs its own host name: write --module-origin with a wildcard, such as https://*.modules.example.org.';
  if (name === 'database')
    return 'The database must be an address such as postgres://benchbook@db.example.org/benchbook.';
  if (name === 'origins') return 'An origin must be an address such as https://guides.example.org.';
  if (name === 'trustProxy') return 'A trusted proxy must be an address or a network such as 10.0.0.0/8.';
  if (name === 'metricsToken') return 'BENCHBOOK_METRICS_TOKEN must have at least 16 characters.';
  if (name === 'logLevel') return 'The log level must be silent, fatal, error, warn, info or debug.';
  if (name === 'blobs' && issue?.path[1] === 'endpoint')
    return 'The S3 endpoint must be an address such as https://s3.example.org.';
  if (name === 'blobs') return 'Files can be in s3://BUCKET/PREFIX, or in the data folder: --blobs files.';
  return `The setting ${name} cannot be used: ${issue?.message ?? 'unknown'}.`;
}

/**
 * The default data folder on a platform.
 *
 * - START-5 Without `--data`, the folder follows the XDG base directories (on Windows `%APPDATA%`, on macOS
 *   Application Support).
 */
export function defaultDataDir(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Benchbook');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Benchbook');
  const xdg = env['XDG_DATA_HOME'];
  return join(
    xdg !== undefined && xdg.startsWith('/') ? xdg : join(env['HOME'] ?? homedir(), '.local', 'share'),
    'benchbook',
  );
}
