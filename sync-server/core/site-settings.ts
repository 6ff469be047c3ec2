import { z } from 'zod';

import { defaultSettings, storedSettings } from '#shared/model/site-settings.ts';

const auditSyslog = z.strictObject({
  transport: z.enum(['udp', 'tcp', 'tls']),
  host: z.string(),
  port: z.int(),
  /** Trusted certificates (PEM) with `tls`; empty: those of Node. */
  certificates: z.array(z.string()),
  /** Whether the address may be in a private network, as the administrator confirmed. */
  private: z.boolean(),
});

/** The syslog receiver that the head of the audit log is sent to. */
export type AuditSyslog = z.infer<typeof auditSyslog>;

const auditTimestamp = z.strictObject({
  url: z.string(),
  /** Certificates (PEM) of the authority, or of its issuer. */
  certificates: z.array(z.string()).min(1),
  /** Whether the address may be in a private network, as the administrator confirmed. */
  private: z.boolean(),
});

/** The time-stamping authority (RFC 3161) that stamps the head of the audit log. */
export type AuditTimestamp = z.infer<typeof auditTimestamp>;

/** Stored settings of the site. */
export const siteSettings = z.strictObject({
  ...storedSettings,
  // Set on the command line only, so that nobody can stop or redirect these reports through the API.
  audit_syslog: auditSyslog.nullable(),
  audit_timestamp: auditTimestamp.nullable(),
});
export type Site = z.infer<typeof siteSettings>;

/** The identity provider (SAML 2) with which people may sign approvals and sign in. */
export type SignOnSettings = NonNullable<Site['sign_on']>;

/** The mail server. */
export type SmtpSettings = NonNullable<Site['smtp']>;

/** The settings of a new site. */
export const defaultSite: Site = { ...defaultSettings, audit_syslog: null, audit_timestamp: null };
