import type { SettingSection } from '#desktop/renderer/screens/site/site-groups.ts';
import type { ListWords } from '#desktop/renderer/ui/list-field.tsx';
import type { SettingGroup } from '#shared/model/setting.ts';
import type { SettingField } from '#shared/model/site-settings.ts';
import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

/** The texts of a field of the form. */
export interface FieldWords {
  label: string;
  hint?: string;
  /** Shown after the value, such as a unit. */
  suffix?: string;
  /** For a stored secret: label of the switch that clears it. */
  forget?: string;
}

/** The cards of the form. */
export const settingGroupText = inLanguage('settingGroup', {
  names: { title: 'Names' },
  access: { title: 'Access' },
  passwords: { title: 'Passwords' },
  sign_on: {
    title: 'Single sign-on',
    lead: 'People can sign approvals, and sign in if you allow it, with an identity provider (SAML 2) instead of their password. Each account needs its single sign-on id.',
  },
  languages: { title: 'Languages and guides' },
  mail: { title: 'E-mail' },
  translation: { title: 'Machine translation' },
  limits: { title: 'Limits' },
  backups: { title: 'Schedule' },
} satisfies Record<SettingGroup, { title: string; lead?: string }>);

/** The sections of the administration that have settings. */
export const settingSectionText = inLanguage('settingSection', {
  site: { title: 'Site', lead: 'These apply to everyone on this server.' },
  signIn: { title: 'Sign-in', lead: 'How people prove who they are.' },
  mail: { title: 'Mail', lead: 'Invitations, password links and warnings go out through your mail server.' },
  backups: { title: 'Backups', lead: 'Copies of everything on this server, and how long they are kept.' },
} satisfies Record<SettingSection, { title: string; lead: string }>);

const list = (add: string, none: string) =>
  ({
    add,
    none,
    addButton: 'Add',
    remove: message<[name: string]>('Remove {name}', 'name'),
    nothingFound: 'Nothing found',
  }) satisfies ListWords;

/** The words of lists and choices. */
export const settingChoiceText = inLanguage('settingChoice', {
  anyone: 'Anyone',
  members: 'People who sign in',
  language: 'Choose a language',
  main: 'main',
  timeZones: 'Show the time zones',
  nothingFound: 'Nothing found',
  byDefault: message<[value: string]>('Default: {value}.', 'value'),
  lists: {
    languages: list('Add a language', 'No languages yet'),
    guide_types: list('Add a kind of guide', 'No kinds of guides yet'),
    private_networks: list('Add a network', 'None'),
    cors_origins: list('Add a website', 'None'),
  },
  guideTypes: {
    replacement: 'Replacement',
    installation: 'Installation',
    repair: 'Repair',
    disassembly: 'Disassembly',
    teardown: 'Teardown',
    technique: 'Technique',
    maintenance: 'Maintenance',
    'how-to': 'How-to',
  } as Readonly<Record<string, string>>,
});

/** The fields of the form, in the order in which a card shows them. */
export const settingText = inLanguage('setting', {
  name: { label: 'Short name' },
  title: { label: 'Title' },
  description: { label: 'Description' },
  time_zone: {
    label: 'Time zone',
    hint: 'Planned orders repeat in this time zone. Type a city to find it.',
  },
  support_url: { label: 'Address for support requests' },
  address: {
    label: 'Address of this server',
    hint: 'For links in e-mails and for the identity provider, e.g. https://guides.example.org. Leave it empty to use the address of each request.',
  },

  private: { label: 'Who can read' },
  public_registration: { label: 'Anyone can sign up' },
  releases: { label: 'Guides are released in versions' },
  compatibility: { label: 'Compatibility with older apps' },

  password_days: {
    label: 'Passwords must be changed after',
    hint: 'Leave it empty if passwords don’t expire. Every password needs at least ten characters. After too many wrong passwords, people have to wait.',
    suffix: 'days',
  },

  sign_on: { label: 'Approvals can be signed with an identity provider' },
  'sign_on.entry_point': {
    label: 'Single sign-on address',
    hint: 'Sign-in page of the identity provider (HTTP-Redirect)',
  },
  'sign_on.certificates': {
    label: 'Certificates of the identity provider',
    hint: 'One or more in PEM format, starting with -----BEGIN CERTIFICATE-----. While a certificate is being replaced, paste the old and the new one.',
  },
  'sign_on.idp_issuer': {
    label: 'Entity ID of the identity provider',
    hint: 'Leave it empty to accept any provider with one of the certificates.',
  },
  'sign_on.attribute': {
    label: 'Attribute with the single sign-on id',
    hint: 'Leave it empty to use the NameID.',
  },
  'sign_on.issuer': {
    label: 'Entity ID of this site',
    hint: 'Leave it empty to use the metadata address.',
  },
  'sign_on.sign_in_name': {
    label: 'Name on the sign-in screen',
    hint: 'Shown as “Sign in with …”. Leave it empty to use the identity provider only for approvals.',
  },
  'sign_on.match_email': {
    label:
      'At sign-in, find accounts without a single sign-on id by their e-mail address, and remove their password',
  },
  'sign_on.create_accounts': {
    label: 'At sign-in, create an account for anyone known to the identity provider',
  },
  'sign_on.email_attribute': {
    label: 'Attribute with the e-mail address',
    hint: 'Leave it empty to use the NameID if it is an address. Trust it only if people can’t change it themselves.',
  },
  'sign_on.name_attribute': {
    label: 'Attribute with the name for a new account',
    hint: 'Leave it empty to use the part of the address before the @.',
  },

  langid: { label: 'Main language' },
  languages: { label: 'Languages' },
  guide_types: { label: 'Kinds of guides' },

  smtp: { label: 'Send e-mail through a mail server' },
  'smtp.host': { label: 'Mail server' },
  'smtp.port': { label: 'Port of the mail server' },
  'smtp.tls': { label: 'Use implicit TLS (port 465)' },
  'smtp.user': { label: 'User name for the mail server', hint: 'Leave it empty to send without signing in.' },
  'smtp.password': {
    label: 'Password for the mail server',
    forget: 'Remove the stored password',
  },
  'smtp.from': { label: 'Sender', hint: 'For example, Guides <guides@example.org>' },

  translation: { label: 'Translate page titles with a translation service' },
  'translation.url': { label: 'Address of the service', hint: 'It must be compatible with LibreTranslate.' },
  'translation.key': { label: 'API key for the service', forget: 'Remove the stored API key' },

  upload_megabytes: { label: 'Largest upload', suffix: 'MB' },
  upload_gigabytes_per_day: { label: 'Daily upload quota per person', suffix: 'GB' },
  requests_per_minute: {
    label: 'Requests per minute',
    hint: 'Per device, and per IP address for requests without a sign-in. Leave it empty for 60,000 per device and 3,000 per address.',
  },
  backup_hours: {
    label: 'Time between backups',
    suffix: 'hours',
    hint: 'Applies only if the server was started with a backup folder (--backup).',
  },
  backup_days: { label: 'Keep the newest backup of each day for', suffix: 'days' },
  backup_weeks: { label: 'Keep the newest backup of each week for', suffix: 'weeks' },
  backup_months: { label: 'Keep the newest backup of each month for', suffix: 'months' },
  private_networks: {
    label: 'Private networks that the server may connect to',
    hint: 'For example, 10.1.0.0/16',
  },
  cors_origins: {
    label: 'Websites that may read from this server (CORS)',
    hint: 'For example, https://shop.example.org. Enter “any” to let every website read public content.',
  },
} satisfies Record<SettingField, FieldWords>);
