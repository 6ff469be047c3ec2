import type { SettingGroup } from '#shared/model/setting.ts';
import type { SettingField } from '#shared/model/site-settings.ts';

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
export const settingGroupText: Record<SettingGroup, { title: string; lead?: string }> = {
  names: { title: 'Names' },
  access: { title: 'Who may do what' },
  passwords: { title: 'Passwords' },
  sign_on: {
    title: 'Single sign-on',
    lead: 'People sign approvals, and sign in where you allow it, with an identity provider (SAML 2) instead of their password. Each account needs its single sign-on id.',
  },
  languages: { title: 'Languages and guides' },
  mail: { title: 'E-mail' },
  translation: { title: 'Translation by machine' },
  limits: { title: 'Limits' },
  backups: { title: 'Backups' },
};

const separatedByCommas = 'Separated by commas';

/** The fields of the form, in the order in which a card shows them. */
export const settingText: Record<SettingField, FieldWords> = {
  name: { label: 'Short name' },
  title: { label: 'Title' },
  description: { label: 'Description' },
  support_url: { label: 'Address for support requests' },
  address: {
    label: 'Address of this server',
    hint: 'For links in e-mails and for the identity provider, e.g. https://guides.example.org. Empty: as the caller wrote it.',
  },

  private: { label: 'Only people who are signed in may read' },
  public_registration: { label: 'Everybody may make an account' },
  releases: { label: 'Guides are released in versions' },
  compatibility: { label: 'Answer as older apps expect' },

  password_days: {
    label: 'A password must be replaced after',
    hint: 'Empty: never. Every password has ten characters or more, and too many wrong ones make people wait.',
    suffix: 'days',
  },

  sign_on: { label: 'Approvals can be signed with an identity provider' },
  'sign_on.entry_point': {
    label: 'Where people authenticate',
    hint: 'The single sign-on address of the identity provider (HTTP-Redirect)',
  },
  'sign_on.certificates': {
    label: 'Certificates of the identity provider',
    hint: 'One or more in PEM, from -----BEGIN CERTIFICATE----- on. While it changes, the old and the new one.',
  },
  'sign_on.idp_issuer': {
    label: 'How the identity provider calls itself',
    hint: 'Its entity id. Empty: whoever has one of the certificates.',
  },
  'sign_on.attribute': { label: 'Attribute that holds the single sign-on id', hint: 'Empty: the NameID' },
  'sign_on.issuer': {
    label: 'How this site calls itself there',
    hint: 'Empty: the address of its metadata',
  },
  'sign_on.sign_in_name': {
    label: 'Name on the sign-in screen',
    hint: 'People sign in by “Sign in with …” then. Empty: it serves approvals alone.',
  },
  'sign_on.match_email': {
    label:
      'At sign-in, find accounts without a single sign-on id by their e-mail address; their password ends then',
  },
  'sign_on.create_accounts': {
    label: 'At sign-in, make an account for whoever the identity provider knows',
  },
  'sign_on.email_attribute': {
    label: 'Attribute that holds the e-mail address',
    hint: 'Empty: the NameID, if it is an address. Trust it only if people cannot change it themselves.',
  },
  'sign_on.name_attribute': {
    label: 'Attribute that holds the name of a new account',
    hint: 'Empty: what stands before the @ of the address',
  },

  langid: { label: 'Language of the site' },
  languages: { label: 'Languages of pages', hint: separatedByCommas },
  guide_types: { label: 'Kinds of guides', hint: separatedByCommas },

  smtp: { label: 'Send e-mail through a mail server' },
  'smtp.host': { label: 'Mail server' },
  'smtp.port': { label: 'Port of the mail server' },
  'smtp.tls': { label: 'Encrypted from the first byte (port 465)' },
  'smtp.user': { label: 'Name for signing in there', hint: 'Empty: without signing in' },
  'smtp.password': {
    label: 'Password for signing in there',
    forget: 'Forget the password that is set',
  },
  'smtp.from': { label: 'Sender', hint: 'Such as Guides <guides@example.org>' },

  translation: { label: 'Translate titles of pages by a service' },
  'translation.url': { label: 'Address of the service', hint: 'It must answer as LibreTranslate does' },
  'translation.key': { label: 'Key for the service', forget: 'Forget the key that is set' },

  upload_megabytes: { label: 'Largest upload', suffix: 'MB' },
  upload_gigabytes_per_day: { label: 'Daily upload quota per person', suffix: 'GB' },
  requests_per_minute: {
    label: 'Requests per minute',
    hint: 'Per device, and per IP address for requests without a sign-in. Empty: 60,000 per device and 3,000 per address.',
  },
  backup_hours: {
    label: 'Time between two backups',
    suffix: 'hours',
    hint: 'Takes effect if the server was started with a folder for backups (--backup).',
  },
  backup_days: { label: 'Keep the newest backup of each day for', suffix: 'days' },
  backup_weeks: { label: 'Keep the newest backup of each week for', suffix: 'weeks' },
  backup_months: { label: 'Keep the newest backup of each month for', suffix: 'months' },
  private_networks: {
    label: 'Private networks that the server may call',
    hint: 'Such as 10.1.0.0/16, separated by commas. Empty: none.',
  },
  cors_origins: {
    label: 'Other sites whose pages may read from this server',
    hint: 'Such as https://shop.example.org, separated by commas; “any”: all may read what is public. Empty: none.',
  },
};
