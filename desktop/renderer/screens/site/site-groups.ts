import { text } from '#desktop/renderer/text/en.ts';
import { lateText } from '#desktop/renderer/text/late.ts';
import type { FieldWords } from '#desktop/renderer/text/en/site-settings.ts';
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

/** The cards of the form with their fields, in the order of their texts. */
export function groupsOf(site: SiteRecord): Group[] {
  const order = Object.keys(lateText.setting);
  const placeOf = ({ line }: Line) => order.indexOf(line.field.replace(/\.forget$/, ''));
  return settingGroups.map((id) => ({
    id,
    ...lateText.settingGroup[id],
    lines: settings
      .filter(([, { group }]) => group === id)
      .flatMap(([name, setting]) => linesOf(site, name, setting))
      .toSorted((a, b) => placeOf(a) - placeOf(b)),
  }));
}

const fieldWords: Readonly<Record<string, FieldWords>> = lateText.setting;

const lineKinds: Partial<Record<FieldKind, NonNullable<TextLine['kind']>>> = {
  long: 'long',
  certificates: 'long',
  url: 'url',
  number: 'numeric',
  'optional-number': 'numeric',
};

function linesOf(site: SiteRecord, name: SettingName, setting: Setting): Line[] {
  if (setting.kind !== 'parts') return [{ line: lineOf(name, setting.kind) }];
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
