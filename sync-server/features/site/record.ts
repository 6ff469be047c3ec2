import { X509Certificate } from 'node:crypto';

import type { SiteEdit } from '#shared/api/site.ts';
import { invalid } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { SiteInfo, SiteRecord } from '#shared/model/site.ts';
import type { Services } from '#server/core/services.ts';
import { anyOrigin } from '#server/http/cross-origin.ts';
import { isNetwork, RefusedAddress } from '#server/platform/outbound.ts';
import type { Site } from '#server/core/site-settings.ts';

const guideTypeWords: Record<GuideFacts['type'], { title: string; prompt: string }> = {
  replacement: { title: 'Replacement', prompt: 'Which part is replaced?' },
  installation: { title: 'Installation', prompt: 'What is installed?' },
  repair: { title: 'Repair', prompt: 'What is repaired?' },
  disassembly: { title: 'Disassembly', prompt: 'What is taken apart?' },
  teardown: { title: 'Teardown', prompt: 'What is taken apart for good?' },
  technique: { title: 'Technique', prompt: 'Which technique is shown?' },
  maintenance: { title: 'Maintenance', prompt: 'What is maintained?' },
  'how-to': { title: 'How-to', prompt: 'What is done?' },
};

/** What apps read of a site; `baseUrl` is where they found it. */
export function siteInfoOf(site: Site, baseUrl: string): SiteInfo {
  const { host } = new URL(baseUrl);
  const own = site.address === null ? null : new URL(site.address).host;
  const known = Object.entries(guideTypeWords);
  return {
    siteid: 1,
    name: site.name,
    domain: own ?? host,
    custom_domain: null,
    title: site.title,
    theme: '',
    private: site.private,
    description: site.description,
    answers: false,
    store: '',
    authentication: {
      standard: true,
      'public-registration': site.publicRegistration,
      'sign-on': site.signOn !== null && site.address !== null,
      'sign-in': site.address === null ? null : (site.signOn?.signInName ?? null),
    },
    'guide-types': Object.fromEntries(known.filter(([type]) => site.guideTypes.includes(type))),
    'object-name-singular': 'Category',
    'object-name-plural': 'Categories',
    'feature-mobile-scanner': false,
    'google-oauth2-clientid': '',
    logo: null,
    langid: site.langid,
    languages: site.languages,
    'support-url': site.supportUrl,
  };
}

/** Settings as administrators read them. */
export function siteRecordOf(site: Site): SiteRecord {
  const { translation, smtp, signOn } = site;
  return {
    name: site.name,
    title: site.title,
    description: site.description,
    langid: site.langid,
    languages: site.languages,
    guide_types: site.guideTypes,
    public_registration: site.publicRegistration,
    private: site.private,
    releases: site.releases,
    compatibility: site.compatibility,
    support_url: site.supportUrl,
    address: site.address,
    requests_per_minute: site.requestsPerMinute,
    upload_megabytes: site.uploadMegabytes,
    upload_gigabytes_per_day: site.uploadGigabytesPerDay,
    translation: translation && { url: translation.url, has_key: translation.apiKey !== null },
    smtp: smtp && {
      host: smtp.host,
      port: smtp.port,
      tls: smtp.tls,
      user: smtp.user,
      has_password: smtp.password !== null,
      from: smtp.from,
    },
    password_days: site.passwordDays,
    sign_on: signOn && {
      entry_point: signOn.entryPoint,
      certificates: signOn.certificates,
      issuer: signOn.issuer,
      idp_issuer: signOn.idpIssuer,
      attribute: signOn.attribute,
      sign_in_name: signOn.signInName,
      match_email: signOn.matchEmail,
      email_attribute: signOn.emailAttribute,
      create_accounts: signOn.createAccounts,
      name_attribute: signOn.nameAttribute,
    },
    private_networks: site.privateNetworks,
    cors_origins: site.corsOrigins,
  };
}

/** The settings after an edit; 422 for what does not go together. */
export function editedSite(before: Site, edit: SiteEdit): Site {
  const after: Site = {
    name: edit.name ?? before.name,
    title: edit.title ?? before.title,
    description: edit.description ?? before.description,
    langid: edit.langid ?? before.langid,
    languages: edit.languages ?? before.languages,
    guideTypes: edit.guide_types ?? before.guideTypes,
    publicRegistration: edit.public_registration ?? before.publicRegistration,
    private: edit.private ?? before.private,
    releases: edit.releases ?? before.releases,
    compatibility: edit.compatibility ?? before.compatibility,
    supportUrl: edit.support_url === undefined ? before.supportUrl : edit.support_url,
    address: edit.address === undefined ? before.address : edit.address,
    requestsPerMinute:
      edit.requests_per_minute === undefined ? before.requestsPerMinute : edit.requests_per_minute,
    uploadMegabytes: edit.upload_megabytes ?? before.uploadMegabytes,
    uploadGigabytesPerDay: edit.upload_gigabytes_per_day ?? before.uploadGigabytesPerDay,
    translation: editedTranslation(before, edit),
    smtp: editedSmtp(before, edit),
    passwordDays: edit.password_days === undefined ? before.passwordDays : edit.password_days,
    signOn: editedSignOn(before, edit),
    privateNetworks: edit.private_networks ?? before.privateNetworks,
    auditSyslog: before.auditSyslog,
    auditTimestamp: before.auditTimestamp,
    corsOrigins: edit.cors_origins ?? before.corsOrigins,
  };
  if (!after.languages.includes(after.langid))
    throw invalid('languages', `The languages must include the source language ${after.langid}`);
  const odd = after.privateNetworks.findIndex((network) => !isNetwork(network));
  if (odd >= 0) throw invalid('private_networks', 'Name a network such as 192.168.10.0/24', odd);
  const noOrigin = after.corsOrigins.findIndex((one) => !isPageOrigin(one));
  if (noOrigin >= 0)
    throw invalid('cors_origins', 'Name an origin such as https://shop.example.org, or any', noOrigin);
  if (after.smtp !== null && after.address === null)
    throw invalid(
      'address',
      'Links in e-mails start with the address of the site: set it together with smtp',
    );
  if (after.signOn !== null && after.address === null)
    throw invalid(
      'address',
      'The identity provider answers to the address of the site: set it together with sign_on',
    );
  return after;
}

function editedSignOn(before: Site, { sign_on }: SiteEdit): Site['signOn'] {
  if (sign_on === undefined) return before.signOn;
  if (sign_on === null) return null;
  const { entry_point, certificates, issuer, idp_issuer, attribute } = sign_on;
  for (const [index, certificate] of certificates.entries())
    if (!isCertificate(certificate))
      throw invalid('sign_on.certificates', 'Must be an X.509 certificate of an RSA key, in PEM', index);
  return {
    entryPoint: entry_point,
    certificates,
    issuer,
    idpIssuer: idp_issuer,
    attribute,
    signInName: sign_on.sign_in_name,
    matchEmail: sign_on.match_email,
    emailAttribute: sign_on.email_attribute,
    createAccounts: sign_on.create_accounts,
    nameAttribute: sign_on.name_attribute,
  };
}

/** `https://shop.example.org`, the origin of an app (`capacitor://localhost`), or the word for all. */
function isPageOrigin(text: string): boolean {
  return text === anyOrigin || (/^[a-z][a-z0-9+.-]*:\/\/[^/?#@*\s]+$/.test(text) && URL.canParse(text));
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).publicKey.asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

/** 422 when the server would not call the provider that an edit names, under the settings after the edit. */
export async function checkProvider(services: Services, edit: SiteEdit): Promise<void> {
  if (!edit.translation) return;
  const networks = edit.private_networks ?? services.site.privateNetworks;
  try {
    await services.outbound.check(edit.translation.url, networks.filter(isNetwork));
  } catch (error) {
    if (error instanceof RefusedAddress) throw invalid('translation.url', error.message);
    throw error;
  }
}

function editedTranslation(before: Site, { translation }: SiteEdit): Site['translation'] {
  if (translation === undefined) return before.translation;
  if (translation === null) return null;
  const { url, key } = translation;
  // A key is its provider's: another provider does not get it.
  const kept = before.translation?.url === url ? before.translation.apiKey : null;
  return { url, apiKey: key === undefined ? kept : key };
}

function editedSmtp(before: Site, { smtp }: SiteEdit): Site['smtp'] {
  if (smtp === undefined) return before.smtp;
  if (smtp === null) return null;
  const { password, ...rest } = smtp;
  const isSame = before.smtp?.host === smtp.host && before.smtp.user === smtp.user;
  const kept = isSame ? (before.smtp?.password ?? null) : null;
  return { ...rest, password: password === undefined ? kept : password };
}
