import { z } from 'zod';

import { guideTypes } from '#shared/model/guide.ts';

/** Largest file that an upload may bring, whatever the site says, in megabytes. */
const mostUploadMegabytes = 80;

const translation = z.strictObject({ url: z.string(), apiKey: z.string().nullable() });

const smtp = z.strictObject({
  host: z.string(),
  port: z.int(),
  /** TLS from the first byte (port 465); otherwise STARTTLS where the mail server offers it. */
  tls: z.boolean(),
  user: z.string().nullable(),
  password: z.string().nullable(),
  from: z.string(),
});

const signOn = z.strictObject({
  /** Address of the identity provider that people are sent to. */
  entryPoint: z.string(),
  /** Certificates (PEM) with which it may sign. */
  certificates: z.array(z.string()),
  /** How this site calls itself there; null: the address of its metadata. */
  issuer: z.string().nullable(),
  /** How the identity provider calls itself; null: whoever has the certificate. */
  idpIssuer: z.string().nullable(),
  /** The attribute that holds a person's single sign-on id; null: the NameID. */
  attribute: z.string().nullable(),
  /** What the sign-in screen calls the identity provider; null: it serves signatures alone. */
  signInName: z.string().nullable().default(null),
  /** Accounts without a single sign-on id are found by their mail address. */
  matchEmail: z.boolean().default(false),
  /** The attribute that holds a person's mail address; null: the NameID, if it is one. */
  emailAttribute: z.string().nullable().default(null),
  /** Whoever the identity provider knows gets an account at their first sign-in. */
  createAccounts: z.boolean().default(false),
  /** The attribute that holds the name of a new account; null: it follows from the address. */
  nameAttribute: z.string().nullable().default(null),
});

/** The identity provider (SAML 2) with which people may sign, and sign in. */
export type SignOnSettings = z.infer<typeof signOn>;

const auditSyslog = z.strictObject({
  transport: z.enum(['udp', 'tcp', 'tls']),
  host: z.string(),
  port: z.int(),
  /** Certificates (PEM) of who may vouch for the receiver with `tls`; none: those that Node knows. */
  certificates: z.array(z.string()),
  /** The administrator named an address in a private network, knowingly. */
  private: z.boolean(),
});

/** The syslog receiver that is told where the audit log ends. */
export type AuditSyslog = z.infer<typeof auditSyslog>;

const auditTimestamp = z.strictObject({
  url: z.string(),
  /** Certificates (PEM) of the authority, or of who vouches for it. */
  certificates: z.array(z.string()).min(1),
  /** The administrator named an address in a private network, knowingly. */
  private: z.boolean(),
});

/** The time-stamping authority (RFC 3161) that stamps where the audit log ends. */
export type AuditTimestamp = z.infer<typeof auditTimestamp>;

/** How mails leave. */
export type SmtpSettings = z.infer<typeof smtp>;

/** Settings of the site that an administrator chooses, as they are stored. */
export const siteSettings = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** The source language; one of `languages`. */
  langid: z.string(),
  languages: z.array(z.string()),
  guideTypes: z.array(z.string()),
  /** Anybody may register; then register and login need an app id. */
  publicRegistration: z.boolean(),
  /** Anonymous callers see nothing. */
  private: z.boolean(),
  /** What existing apps need against the specification: `flags` of the full guide as objects, step forms saved by their fields. */
  compatibility: z.boolean(),
  releases: z.boolean(),
  supportUrl: z.string().nullable(),
  /** Origin under which people reach the site; links in mails begin with it. */
  address: z.string().nullable(),
  /** Of each device, and of each address without a token; null: `defaultLimits`. */
  requestsPerMinute: z.int().nullable(),
  uploadMegabytes: z.int(),
  /** Total size of files that one person may send within a day. */
  uploadGigabytesPerDay: z.int(),
  /** A LibreTranslate-compatible provider. */
  translation: translation.nullable(),
  smtp: smtp.nullable(),
  signOn: signOn.nullable(),
  /** After so many days a password must be replaced; null: never. */
  passwordDays: z.int().nullable(),
  /** Networks (CIDR) that the server may call although they are private. */
  privateNetworks: z.array(z.string()),
  /** Set on the command line only: who has the API alone neither ends nor redirects what is told of the audit log. */
  auditSyslog: auditSyslog.nullable(),
  auditTimestamp: auditTimestamp.nullable(),
  /** Origins of pages that may read answers in a browser; `any`: all may read what needs no sign-in. */
  corsOrigins: z.array(z.string()),
});
export type Site = z.infer<typeof siteSettings>;

/** What a site is until an administrator chooses otherwise. */
export const defaultSite: Site = {
  name: 'Benchbook',
  title: 'Benchbook',
  description: '',
  langid: 'en',
  languages: ['en'],
  guideTypes: [...guideTypes],
  publicRegistration: false,
  private: false,
  compatibility: false,
  releases: false,
  supportUrl: null,
  address: null,
  requestsPerMinute: null,
  uploadMegabytes: mostUploadMegabytes,
  uploadGigabytesPerDay: 20,
  translation: null,
  smtp: null,
  signOn: null,
  passwordDays: null,
  privateNetworks: [],
  auditSyslog: null,
  auditTimestamp: null,
  corsOrigins: [],
};
