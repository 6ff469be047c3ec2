import { z } from 'zod';

import { defaultSettings, storedSettings } from '#shared/model/site-settings.ts';

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

/** Settings of the site, as they are stored. */
export const siteSettings = z.strictObject({
  ...storedSettings,
  // Set on the command line only: who has the API alone neither ends nor redirects what is told of the audit log.
  audit_syslog: auditSyslog.nullable(),
  audit_timestamp: auditTimestamp.nullable(),
});
export type Site = z.infer<typeof siteSettings>;

/** The identity provider (SAML 2) with which people may sign, and sign in. */
export type SignOnSettings = NonNullable<Site['sign_on']>;

/** How mails leave. */
export type SmtpSettings = NonNullable<Site['smtp']>;

/** What a site is until an administrator chooses otherwise. */
export const defaultSite: Site = { ...defaultSettings, audit_syslog: null, audit_timestamp: null };
