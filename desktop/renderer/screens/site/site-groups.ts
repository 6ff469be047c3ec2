import { text } from '#desktop/renderer/text/en.ts';
import type { SiteRecord } from '#shared/model/site.ts';

import type { TypedSite } from './typed-site.ts';

/** Names of the fields of one type. */
type FieldOf<T> = { [K in keyof TypedSite]: TypedSite[K] extends T ? K : never }[keyof TypedSite];
type Switch = FieldOf<boolean>;

export interface TextLine {
  field: FieldOf<string>;
  label: string;
  hint?: string;
  suffix?: string;
  kind?: 'long' | 'password' | 'numeric' | 'url';
}

export interface SwitchLine {
  field: Switch;
  label: string;
}

/** Settings that belong together. */
export interface Group {
  title: string;
  lead?: string;
  lines: (TextLine | SwitchLine)[];
  /** These lines are there while the switch is on. */
  when?: { field: Switch; lines: (TextLine | SwitchLine)[] };
  /** What stands below the fields while the switch is on. */
  below?: 'sign-on';
}

/** The fields of the settings, in their order. */
export function groupsOf(site: SiteRecord): Group[] {
  const words = text.site;
  const secret = (isSet: boolean) => ({
    kind: 'password' as const,
    ...(isSet && { hint: words.keepSecret }),
  });
  const forget = (isSet: boolean, field: Switch, label: string): SwitchLine[] =>
    isSet ? [{ field, label }] : [];
  return [
    {
      title: words.names,
      lines: [
        { field: 'name', label: words.name },
        { field: 'title', label: words.longTitle },
        { field: 'description', label: words.description, kind: 'long' },
        { field: 'support_url', label: words.support },
        { field: 'address', label: words.address, hint: words.addressHint },
      ],
    },
    {
      title: words.access,
      lines: [
        { field: 'private', label: words.isPrivate },
        { field: 'public_registration', label: words.publicRegistration },
        { field: 'releases', label: words.releases },
        { field: 'compatibility', label: words.compatibility },
      ],
    },
    {
      title: words.passwords,
      lines: [
        {
          field: 'password_days',
          label: words.passwordDays,
          hint: words.passwordDaysHint,
          suffix: words.days,
          kind: 'numeric',
        },
      ],
    },
    {
      title: words.signOn,
      lead: words.signOnLead,
      lines: [{ field: 'sign_on', label: words.useSignOn }],
      when: {
        field: 'sign_on',
        lines: [
          {
            field: 'sign_on.entry_point',
            label: words.entryPoint,
            hint: words.entryPointHint,
            kind: 'url',
          },
          {
            field: 'sign_on.certificates',
            label: words.certificates,
            hint: words.certificatesHint,
            kind: 'long',
          },
          { field: 'sign_on.idp_issuer', label: words.idpIssuer, hint: words.idpIssuerHint },
          { field: 'sign_on.attribute', label: words.attribute, hint: words.attributeHint },
          { field: 'sign_on.issuer', label: words.issuer, hint: words.issuerHint },
          { field: 'sign_on.sign_in_name', label: words.signInName, hint: words.signInNameHint },
          { field: 'sign_on.match_email', label: words.matchEmail },
          { field: 'sign_on.create_accounts', label: words.createAccounts },
          { field: 'sign_on.email_attribute', label: words.emailAttribute, hint: words.emailAttributeHint },
          { field: 'sign_on.name_attribute', label: words.nameAttribute, hint: words.nameAttributeHint },
        ],
      },
      below: 'sign-on',
    },
    {
      title: words.languages,
      lines: [
        { field: 'langid', label: words.langid },
        { field: 'languages', label: words.languageList, hint: words.listHint },
        { field: 'guide_types', label: words.guideTypes, hint: words.listHint },
      ],
    },
    {
      title: words.mail,
      lines: [{ field: 'smtp', label: words.sendMail }],
      when: {
        field: 'smtp',
        lines: [
          { field: 'smtp.host', label: words.mailHost },
          { field: 'smtp.port', label: words.mailPort, kind: 'numeric' },
          { field: 'smtp.tls', label: words.mailTls },
          { field: 'smtp.user', label: words.mailUser, hint: words.mailUserHint },
          { field: 'smtp.password', label: words.mailPassword, ...secret(site.smtp?.has_password === true) },
          ...forget(site.smtp?.has_password === true, 'smtp.forget', words.forgetMailPassword),
          { field: 'smtp.from', label: words.mailFrom, hint: words.mailFromHint },
        ],
      },
    },
    {
      title: words.translation,
      lines: [{ field: 'translation', label: words.translate }],
      when: {
        field: 'translation',
        lines: [
          {
            field: 'translation.url',
            label: words.translationUrl,
            hint: words.translationUrlHint,
            kind: 'url',
          },
          {
            field: 'translation.key',
            label: words.translationKey,
            ...secret(site.translation?.has_key === true),
          },
          ...forget(site.translation?.has_key === true, 'translation.forget', words.forgetTranslationKey),
        ],
      },
    },
    {
      title: words.limits,
      lines: [
        { field: 'upload_megabytes', label: words.upload, suffix: words.megabytes, kind: 'numeric' },
        {
          field: 'upload_gigabytes_per_day',
          label: words.uploadPerDay,
          suffix: words.gigabytes,
          kind: 'numeric',
        },
        {
          field: 'requests_per_minute',
          label: words.requests,
          hint: words.requestsHint,
          kind: 'numeric',
        },
        { field: 'private_networks', label: words.networks, hint: words.networksHint },
        { field: 'cors_origins', label: words.origins, hint: words.originsHint },
      ],
    },
  ];
}
