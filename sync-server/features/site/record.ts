import { X509Certificate } from 'node:crypto';

import type { SiteEdit } from '#shared/api/site.ts';
import { invalid } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { readName } from '#shared/model/setting.ts';
import { partsOf, settings, type Setting, type SettingName } from '#shared/model/site-settings.ts';
import { siteRecord, type SiteInfo, type SiteRecord } from '#shared/model/site.ts';
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

/**
 * The public information about a site; `baseUrl` is the address that the app used.
 *
 * - SITE-4 `/sites/info`, `/info` and `/sites` return what apps need, with the names and types that they expect.
 */
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
      'public-registration': site.public_registration,
      'sign-on': site.sign_on !== null && site.address !== null,
      'sign-in': site.address === null ? null : (site.sign_on?.sign_in_name ?? null),
    },
    'guide-types': Object.fromEntries(known.filter(([type]) => site.guide_types.includes(type))),
    'object-name-singular': 'Category',
    'object-name-plural': 'Categories',
    'feature-mobile-scanner': false,
    'google-oauth2-clientid': '',
    logo: null,
    langid: site.langid,
    languages: site.languages,
    'support-url': site.support_url,
  };
}

/** The settings as a record for administrators. */
export function siteRecordOf(site: Site): SiteRecord {
  const entries = settings.map(([name, setting]) => [name, readValue(setting, site[name])] as const);
  return siteRecord.parse(Object.fromEntries(entries));
}

/**
 * A value of a setting for administrators.
 *
 * - SITE-3 A secret is never returned, only whether it is set. It stays if an edit does not name it, and is deleted
 *   with its mail server or provider.
 */
function readValue(setting: Setting, value: Site[SettingName]): unknown {
  const parts = partsOf(setting);
  if (parts.length === 0 || value === null) return value;
  const stored = new Map(Object.entries(value));
  return Object.fromEntries(
    parts.map(([name, part]) => [
      readName(name, part),
      part.kind === 'secret' ? stored.get(name) !== null : stored.get(name),
    ]),
  );
}

/** The settings after an edit. Throws 422 for settings that contradict each other. */
export function editedSite(before: Site, edit: SiteEdit): Site {
  mustBeCertificates(edit.sign_on?.certificates ?? []);
  const entries = settings.map(([name, setting]) => [name, editedValue(setting, before[name], edit[name])]);
  const after = { ...before, ...(Object.fromEntries(entries) as Pick<Site, SettingName>) };
  mustFit(after);
  return after;
}

/** A value after an edit. Parts that the edit does not name stay, including secrets of the same server or provider. */
function editedValue(setting: Setting, before: Site[SettingName], edit: SiteEdit[SettingName]): unknown {
  if (edit === undefined) return before;
  const parts = partsOf(setting);
  if (parts.length === 0 || edit === null) return edit;
  const old = new Map(Object.entries(before ?? {}));
  const given = new Map(Object.entries(edit));
  return Object.fromEntries(
    parts.map(([name, part]) => {
      if (part.kind !== 'secret' || given.get(name) !== undefined) return [name, given.get(name)];
      const isSame = part.belongsTo.every((owner) => old.get(owner) === given.get(owner));
      return [name, isSame ? (old.get(name) ?? null) : null];
    }),
  );
}

/**
 * Throws 422 for contradicting settings, and for invalid networks and origins.
 *
 * - SITE-2 Contradicting settings are refused as a whole: the source language must be one of the languages, and mail
 *   needs the address with which links begin.
 */
function mustFit(after: Site): void {
  if (!after.languages.includes(after.langid))
    throw invalid('languages', `The languages must include the source language ${after.langid}`);
  const odd = after.private_networks.findIndex((network) => !isNetwork(network));
  if (odd >= 0) throw invalid('private_networks', 'Name a network such as 192.168.10.0/24', odd);
  const noOrigin = after.cors_origins.findIndex((one) => !isPageOrigin(one));
  if (noOrigin >= 0)
    throw invalid('cors_origins', 'Name an origin such as https://shop.example.org, or any', noOrigin);
  if (after.smtp !== null && after.address === null)
    throw invalid(
      'address',
      'Links in e-mails start with the address of the site: set it together with smtp',
    );
  if (after.sign_on !== null && after.address === null)
    throw invalid(
      'address',
      'The identity provider answers to the address of the site: set it together with sign_on',
    );
}

/**
 * Whether a text is `https://shop.example.org`, the origin of an app (`capacitor://localhost`), or the word for all.
 */
function isPageOrigin(text: string): boolean {
  return text === anyOrigin || (/^[a-z][a-z0-9+.-]*:\/\/[^/?#@*\s]+$/.test(text) && URL.canParse(text));
}

function mustBeCertificates(certificates: readonly string[]): void {
  const odd = certificates.findIndex((pem) => !isCertificate(pem));
  if (odd >= 0)
    throw invalid('sign_on.certificates', 'Must be an X.509 certificate of an RSA key, in PEM', odd);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).publicKey.asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

/**
 * Throws 422 if the server may not call the translation provider in an edit, with the settings after the edit.
 *
 * - SITE-15 The address of a translation provider is checked as for webhooks. The provider is tried after every change,
 *   even if it failed before. Its address may be that of the provider or of its `/translate`.
 */
export async function checkProvider(services: Services, edit: SiteEdit): Promise<void> {
  if (!edit.translation) return;
  const networks = edit.private_networks ?? services.site.private_networks;
  try {
    await services.outbound.check(edit.translation.url, networks.filter(isNetwork));
  } catch (error) {
    if (error instanceof RefusedAddress) throw invalid('translation.url', error.message);
    throw error;
  }
}
