import { text } from '#desktop/renderer/text/en.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import {
  settingChoiceText,
  settingGroupText,
  settingText,
  type FieldWords,
} from '#desktop/renderer/text/en/site-settings.ts';
import { settingGroups, type FieldKind, type SettingGroup } from '#shared/model/setting.ts';
import { partsOf, settings, type Setting, type SettingName } from '#shared/model/site-settings.ts';
import type { SiteRecord } from '#shared/model/site.ts';
import { must } from '#shared/must.ts';

import { forgetField, isSecretSet } from './typed-site.ts';

export interface TextLine {
  field: string;
  label: string;
  hint?: string;
  suffix?: string;
  kind?: 'long' | 'password' | 'numeric' | 'url';
}

/** A checkbox. */
export interface SwitchLine {
  field: string;
  label: string;
}

/** A field, and the switch that must be on for it to be shown. */
export interface Line {
  line: TextLine | SwitchLine;
  when?: SettingName;
}

/** A card of the form. */
export interface Group {
  id: SettingGroup;
  title: string;
  lead?: string;
  lines: Line[];
}

/** The sections of the administration that have settings. */
export type SettingSection = 'site' | 'signIn' | 'mail' | 'backups';

/** The section in which a card is shown. */
export const sectionOfGroup: Record<SettingGroup, SettingSection> = {
  names: 'site',
  access: 'site',
  languages: 'site',
  translation: 'site',
  limits: 'site',
  passwords: 'signIn',
  sign_on: 'signIn',
  mail: 'mail',
  backups: 'backups',
};

/** The cards of the form with their fields, in the order of their texts. */
export function groupsOf(site: SiteRecord): Group[] {
  const order = Object.keys(settingText);
  const placeOf = ({ line }: Line) => order.indexOf(line.field.replace(/\.forget$/, ''));
  return settingGroups.map((id) => ({
    id,
    ...settingGroupText[id],
    lines: settings
      .filter(([, { group }]) => group === id)
      .flatMap(([name, setting]) => linesOf(site, name, setting))
      .toSorted((a, b) => placeOf(a) - placeOf(b)),
  }));
}

const fieldWords: Readonly<Record<string, FieldWords>> = settingText;

const lineKinds: Partial<Record<FieldKind, NonNullable<TextLine['kind']>>> = {
  long: 'long',
  certificates: 'long',
  url: 'url',
  number: 'numeric',
  'optional-number': 'numeric',
};

function linesOf(site: SiteRecord, name: SettingName, setting: Setting): Line[] {
  if (setting.kind !== 'parts') return [{ line: withDefault(lineOf(name, setting.kind), setting.default) }];
  const parts = partsOf(setting).flatMap(([part, { kind }]) => {
    const field = `${name}.${part}`;
    return kind === 'secret' ? secretLines(field, isSecretSet(site, name, part)) : [lineOf(field, kind)];
  });
  return [{ line: lineOf(name, 'switch') }, ...parts.map((line) => ({ line, when: name }))];
}

function lineOf(field: string, kind: FieldKind): TextLine | SwitchLine {
  const { label, hint, suffix } = wordsOf(field);
  const look = lineKinds[kind];
  return {
    field,
    label,
    ...(hint !== undefined && { hint }),
    ...(suffix !== undefined && { suffix }),
    ...(look !== undefined && { kind: look }),
  };
}

/** With the default after the hint, for numbers, whose default people look for. */
function withDefault(line: TextLine | SwitchLine, value: unknown): TextLine | SwitchLine {
  if (typeof value !== 'number') return line;
  const { hint = '' } = line as TextLine;
  return { ...line, hint: `${hint} ${settingChoiceText.byDefault(formatNumber(value))}`.trim() };
}

/** The field of a secret, and the switch that clears a stored secret. */
function secretLines(field: string, isSet: boolean): (TextLine | SwitchLine)[] {
  const { label, forget = '' } = wordsOf(field);
  if (!isSet) return [{ field, label, kind: 'password' }];
  return [
    { field, label, kind: 'password', hint: text.site.keepSecret },
    { field: forgetField(field), label: forget },
  ];
}

function wordsOf(field: string): FieldWords {
  return must(fieldWords[field], `words for ${field}`);
}
