import { z } from 'zod';

import { guideType, guideTypes } from './guide.ts';
import {
  list,
  longText,
  loose,
  number,
  onOff,
  onOffPart,
  optionalNumber,
  optionalPart,
  optionalText,
  part,
  secret,
  text,
  withParts,
  type Part,
  type PlainSetting,
  type SecretPart,
  type SettingWithParts,
} from './setting.ts';
import { mostUploadMegabytes } from './upload-limits.ts';

const langid = z.string().trim().min(2).max(10);
const webAddress = z.url({ protocol: /^https?$/, error: 'Must be an address such as https://example.org' });

const distinct = <T extends z.ZodType<string>>(item: T) =>
  z
    .array(item)
    .max(100)
    .refine((items) => new Set(items).size === items.length, 'Name each one once');

/** `https://guides.example.org`: scheme, host and port. */
const origin = webAddress
  .refine(
    (address) => URL.canParse(address) && new URL(address).pathname === '/' && !/[?#]/.test(address),
    'Leave out path and query',
  )
  .transform((address) => new URL(address).origin);

/** A name of the IANA time zone database, such as `Europe/Berlin`. */
const timeZone = z.string().trim().max(100).refine(isTimeZone, 'Must be a time zone such as Europe/Berlin');

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

/**
 * Every setting that administrators can change, by its name in the API. The database, the API, the command line and the
 * form follow from this table; the API answers in its order. The words of the form are in
 * `desktop/renderer/text/en/site-settings.ts`.
 */
export const settingTable = {
  name: text('names', z.string().trim().min(1).max(100), 'Benchbook'),
  title: text('names', z.string().trim().min(1).max(200), 'Benchbook'),
  description: longText('names', z.string().trim().max(2000), ''),
  /** The source language; one of `languages`. */
  langid: text('languages', langid, 'en'),
  languages: list('languages', distinct(langid).min(1), ['en']),
  /** In which planned orders repeat. */
  time_zone: text('names', timeZone, 'UTC'),
  guide_types: list('languages', distinct(guideType).min(1), [...guideTypes]),
  /** Anyone may register. Registration and sign-in then require an app id. */
  public_registration: onOff('access'),
  /** Anonymous callers see nothing. */
  private: onOff('access'),
  releases: onOff('access'),
  /**
   * Deviations from the specification that existing apps need: `flags` of the full guide as objects, step forms saved
   * by their fields.
   */
  compatibility: onOff('access'),
  support_url: optionalText(
    'names',
    z.url({ protocol: /^(?:https?|mailto)$/, error: 'Must be a web address or mailto:' }).max(2000),
  ),
  /** The origin at which people reach the site; links in mails begin with it. */
  address: optionalText('names', origin),
  /**
   * Requests per minute for each device, and for each address without a token; null: 60,000 and 3,000
   * (`defaultLimits`).
   */
  requests_per_minute: optionalNumber('limits', z.int().min(1).max(1_000_000)),
  upload_megabytes: number('limits', z.int().min(1).max(mostUploadMegabytes), mostUploadMegabytes),
  /** Maximum total size of the files that one person may send within a day. */
  upload_gigabytes_per_day: number('limits', z.int().min(1).max(100_000), 20),
  /** A LibreTranslate-compatible provider. */
  translation: withParts('translation', {
    url: part('url', loose.text, webAddress.max(2000)),
    key: secret('url'),
  }),
  /** The mail server for outgoing mail. */
  smtp: withParts('mail', {
    host: part('text', loose.text, z.string().trim().min(1).max(255)),
    port: part('number', loose.number, z.int().min(1).max(65_535).default(587), '587'),
    /** TLS from the first byte (port 465); otherwise STARTTLS if the mail server offers it. */
    tls: part('switch', loose.switch, z.boolean().default(false)),
    user: part('optional-text', loose.optionalText, z.string().max(320).nullable().default(null)),
    password: secret('host', 'user'),
    from: part('text', loose.text, z.string().trim().min(3).max(320)),
  }),
  /** Age in days at which a password must be replaced; null: never. */
  password_days: optionalNumber('passwords', z.int().min(1).max(3650)),
  /** A SAML 2 identity provider for signatures, and for signing in if `sign_in_name` is set. */
  sign_on: withParts('sign_on', {
    /** The address of the identity provider to which people are sent. */
    entry_point: part('url', loose.text, webAddress.max(2000)),
    /** Certificates (PEM) whose keys the provider may sign with. They are not secret. */
    certificates: part(
      'certificates',
      loose.list,
      distinct(z.string().trim().min(1).max(20_000)).min(1).max(5),
    ),
    /** The id of this site at the provider; null: the address of its metadata. */
    issuer: optionalPart(1000),
    /** The id of the identity provider; null: any issuer with the certificate. */
    idp_issuer: optionalPart(1000),
    /** The attribute that holds a person's single sign-on id; null: the NameID. */
    attribute: optionalPart(300),
    /** The name of the identity provider on the sign-in screen; null: it is used for signatures only. */
    sign_in_name: optionalPart(60),
    /** Whether accounts without a single sign-on id are matched by mail address. */
    match_email: onOffPart(),
    /** The attribute that holds a person's mail address; null: the NameID, if it is one. */
    email_attribute: optionalPart(300),
    /** Whether anyone whom the identity provider authenticates gets an account at their first sign-in. */
    create_accounts: onOffPart(),
    /** The attribute that holds the name of a new account; null: derived from the address. */
    name_attribute: optionalPart(300),
  }),
  /** Private networks (CIDR) that the server may call. */
  private_networks: list('limits', distinct(z.string().max(64)), []),
  /** Hours between two scheduled backups, where the server was started with a folder for them (`--backup`). */
  backup_hours: number('backups', z.int().min(1).max(168), 24),
  /** The newest backup of each of so many days, weeks and months is kept. */
  backup_days: number('backups', z.int().min(1).max(3650), 7),
  backup_weeks: number('backups', z.int().min(0).max(520), 4),
  backup_months: number('backups', z.int().min(0).max(120), 12),
  /** Origins whose pages may read answers in a browser (CORS); `any`: all pages may read what needs no sign-in. */
  cors_origins: list('limits', distinct(z.string().trim().toLowerCase().max(300)), []),
};

type SettingTable = typeof settingTable;
export type SettingName = keyof SettingTable;

/** A setting in the type that loops over the table see. */
export type Setting = PlainSetting | SettingWithParts;

/** The settings in the order of the table. */
export const settings: readonly (readonly [SettingName, Setting])[] = (
  Object.keys(settingTable) as SettingName[]
).map((name) => [name, settingTable[name]]);

/** One column of the table: the schemas for storing, reading or writing each setting, or the defaults. */
function sideOf<Side extends 'stored' | 'read' | 'edit' | 'default'>(side: Side) {
  const entries = settings.map(([name, setting]) => [name, setting[side]] as const);
  return Object.fromEntries(entries) as { [Name in SettingName]: SettingTable[Name][Side] };
}

/** The schemas of the stored settings. */
export const storedSettings = sideOf('stored');
/** The schemas of the settings as administrators read them. */
export const readSettings = sideOf('read');
/** The schemas of the settings as administrators write them. */
export const editedSettings = sideOf('edit');
/** The settings of a new site. */
export const defaultSettings = sideOf('default');

/** The parts of a setting; empty if it has one value. */
export function partsOf(setting: Setting): (readonly [name: string, Part | SecretPart])[] {
  return setting.kind === 'parts' ? Object.entries(setting.parts) : [];
}

/** The parts that hold a secret, such as `smtp.password`: setting and part. */
export const secretParts: readonly (readonly [setting: SettingName, part: string])[] = settings.flatMap(
  ([name, setting]) =>
    partsOf(setting).flatMap(([part, { kind }]) => (kind === 'secret' ? [[name, part] as const] : [])),
);

type FieldsOfSetting<Name extends SettingName> =
  SettingTable[Name] extends SettingWithParts<infer P> ? Name | `${Name}.${keyof P & string}` : Name;

/** The fields of the form: a setting, or a part of one, such as `smtp.host`. */
export type SettingField = { [Name in SettingName]: FieldsOfSetting<Name> }[SettingName];
