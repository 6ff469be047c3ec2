import type { SiteRecord } from '#shared/model/site.ts';

/** The settings as they are typed: mail and translation as fields that a switch takes in or leaves out. */
export type TypedSite = ReturnType<typeof typedOf>;

/** What the form begins with. Secrets are never told by the server; their fields begin empty. */
export function typedOf(site: SiteRecord) {
  return {
    name: site.name,
    title: site.title,
    description: site.description,
    support_url: site.support_url ?? '',
    address: site.address ?? '',
    private: site.private,
    public_registration: site.public_registration,
    releases: site.releases,
    compatibility: site.compatibility,
    langid: site.langid,
    languages: site.languages.join(', '),
    guide_types: site.guide_types.join(', '),
    upload_megabytes: String(site.upload_megabytes),
    upload_gigabytes_per_day: String(site.upload_gigabytes_per_day),
    requests_per_minute: site.requests_per_minute === null ? '' : String(site.requests_per_minute),
    private_networks: site.private_networks.join(', '),
    cors_origins: site.cors_origins.join(', '),
    password_days: site.password_days === null ? '' : String(site.password_days),
    sign_on: site.sign_on !== null,
    'sign_on.entry_point': site.sign_on?.entry_point ?? '',
    'sign_on.certificates': site.sign_on?.certificates.join('\n') ?? '',
    'sign_on.issuer': site.sign_on?.issuer ?? '',
    'sign_on.idp_issuer': site.sign_on?.idp_issuer ?? '',
    'sign_on.attribute': site.sign_on?.attribute ?? '',
    'sign_on.sign_in_name': site.sign_on?.sign_in_name ?? '',
    'sign_on.match_email': site.sign_on?.match_email ?? false,
    'sign_on.email_attribute': site.sign_on?.email_attribute ?? '',
    'sign_on.create_accounts': site.sign_on?.create_accounts ?? false,
    'sign_on.name_attribute': site.sign_on?.name_attribute ?? '',
    smtp: site.smtp !== null,
    'smtp.host': site.smtp?.host ?? '',
    'smtp.port': String(site.smtp?.port ?? 587),
    'smtp.tls': site.smtp?.tls ?? false,
    'smtp.user': site.smtp?.user ?? '',
    'smtp.password': '',
    'smtp.forget': false,
    'smtp.from': site.smtp?.from ?? '',
    translation: site.translation !== null,
    'translation.url': site.translation?.url ?? '',
    'translation.key': '',
    'translation.forget': false,
  };
}

/** The body of the change, not validated. A secret left empty stays as it is, unless it is to be forgotten. */
export function editOf(typed: TypedSite): unknown {
  return {
    name: typed.name,
    title: typed.title,
    description: typed.description,
    support_url: orNull(typed.support_url),
    address: orNull(typed.address),
    private: typed.private,
    public_registration: typed.public_registration,
    releases: typed.releases,
    compatibility: typed.compatibility,
    langid: typed.langid,
    languages: list(typed.languages),
    guide_types: list(typed.guide_types),
    upload_megabytes: Number(typed.upload_megabytes),
    upload_gigabytes_per_day: Number(typed.upload_gigabytes_per_day),
    requests_per_minute: numberOrNull(typed.requests_per_minute),
    private_networks: list(typed.private_networks),
    cors_origins: list(typed.cors_origins),
    password_days: numberOrNull(typed.password_days),
    sign_on: typed.sign_on
      ? {
          entry_point: typed['sign_on.entry_point'].trim(),
          certificates: certificatesOf(typed['sign_on.certificates']),
          issuer: orNull(typed['sign_on.issuer']),
          idp_issuer: orNull(typed['sign_on.idp_issuer']),
          attribute: orNull(typed['sign_on.attribute']),
          sign_in_name: orNull(typed['sign_on.sign_in_name']),
          match_email: typed['sign_on.match_email'],
          email_attribute: orNull(typed['sign_on.email_attribute']),
          create_accounts: typed['sign_on.create_accounts'],
          name_attribute: orNull(typed['sign_on.name_attribute']),
        }
      : null,
    smtp: typed.smtp
      ? {
          host: typed['smtp.host'],
          port: Number(typed['smtp.port']),
          tls: typed['smtp.tls'],
          user: orNull(typed['smtp.user']),
          from: typed['smtp.from'],
          ...secret('password', typed['smtp.password'], typed['smtp.forget']),
        }
      : null,
    translation: typed.translation
      ? {
          url: typed['translation.url'].trim(),
          ...secret('key', typed['translation.key'], typed['translation.forget']),
        }
      : null,
  };
}

function secret(name: string, typed: string, isForgotten: boolean): Record<string, string | null> {
  if (typed !== '') return { [name]: typed };
  return isForgotten ? { [name]: null } : {};
}

function list(words: string): string[] {
  return words
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function orNull(words: string): string | null {
  return words.trim() === '' ? null : words.trim();
}

function numberOrNull(words: string): number | null {
  return orNull(words) === null ? null : Number(words);
}

/** The certificates in a text, one after the other; a text that holds none is told by the server what it lacks. */
function certificatesOf(words: string): string[] {
  const blocks = words.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length > 0) return blocks;
  return words.trim() === '' ? [] : [words.trim()];
}
