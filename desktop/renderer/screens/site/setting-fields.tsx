import { useMemo } from 'react';

import { settingChoiceText } from '#desktop/renderer/text/en/site-settings.ts';
import { languageName } from '#desktop/renderer/text/language-name.ts';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { ListField, mostChoices } from '#desktop/renderer/ui/list-field.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { guideTypes } from '#shared/model/guide.ts';

import { languageChoices, timeZones } from './choices.ts';
import type { SwitchLine, TextLine } from './site-groups.ts';
import { listIn, typedList, type TypedSite } from './typed-site.ts';

export interface SiteFieldProps {
  line: TextLine | SwitchLine;
  typed: TypedSite;
  change: (field: string, value: string | boolean) => void;
  error: string | undefined;
}

/**
 * The field of a setting.
 *
 * - ADMIN-5 Languages, time zones and kinds of guides are chosen from lists by their names. Nobody needs to know a code.
 */
export function SiteField(props: SiteFieldProps) {
  const { field, ...words } = props.line;
  const { typed, change, error } = props;
  const value = typed[field] ?? '';
  switch (field) {
    case 'private':
      return (
        <SegmentedField
          look="compact"
          label={words.label}
          segments={[
            { id: 'anyone', name: settingChoiceText.anyone },
            { id: 'members', name: settingChoiceText.members },
          ]}
          value={value === true ? 'members' : 'anyone'}
          onChange={(id) => change(field, id === 'members')}
        />
      );
    case 'langid':
      return (
        <SelectField
          {...words}
          choices={[...new Set([...listIn(typed['languages']), String(value)])].map((id) => ({
            id,
            name: languageName(id),
          }))}
          value={String(value)}
          onChange={(id) => change(field, id)}
          placeholder={settingChoiceText.language}
          error={error}
        />
      );
    case 'languages':
      return <Languages {...props} />;
    case 'guide_types':
      return (
        <ListField
          {...words}
          value={listIn(value)}
          onChange={(next) => change(field, typedList(next))}
          nameOf={guideTypeName}
          choices={guideTypes.map((id) => ({ id, name: guideTypeName(id) }))}
          words={settingChoiceText.lists.guide_types}
          error={error}
        />
      );
    case 'private_networks':
    case 'cors_origins':
      return (
        <ListField
          {...words}
          value={listIn(value)}
          onChange={(next) => change(field, typedList(next))}
          words={settingChoiceText.lists[field]}
          error={error}
        />
      );
    case 'time_zone':
      return <TimeZone {...props} />;
    default:
      if (typeof value === 'boolean')
        return <CheckboxField label={words.label} value={value} onChange={(on) => change(field, on)} />;
      return <TextField {...words} value={value} onChange={(next) => change(field, next)} error={error} />;
  }
}

function guideTypeName(type: string): string {
  return settingChoiceText.guideTypes[type] ?? type;
}

function Languages({ line, typed, change, error }: SiteFieldProps) {
  const choices = useMemo(() => languageChoices(), []);
  const main = typed['langid'];
  return (
    <ListField
      label={line.label}
      value={listIn(typed[line.field])}
      onChange={(next) => change(line.field, typedList(next))}
      nameOf={languageName}
      noteOf={(id) => (id === main ? settingChoiceText.main : undefined)}
      choices={choices}
      words={settingChoiceText.lists.languages}
      error={error}
    />
  );
}

function TimeZone({ line, typed, change, error }: SiteFieldProps) {
  const { field, label } = line;
  const value = String(typed[field]);
  const choices = useMemo(() => timeZones().map((id) => ({ id, name: id })), []);
  const wanted = value.trim().toLowerCase().replaceAll(' ', '_');
  // While it is opened, the whole list is shown, not only what is chosen.
  const isChosen = choices.some(({ id }) => id === value);
  const found = isChosen ? choices : choices.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <ComboField
      label={label}
      hint={'hint' in line ? line.hint : undefined}
      choices={found.slice(0, mostChoices)}
      input={value}
      onInput={(next) => change(field, next)}
      onChoose={(id) => {
        if (id !== null) change(field, id);
      }}
      allowsOther
      emptyText={settingChoiceText.nothingFound}
      openLabel={settingChoiceText.timeZones}
      error={error}
    />
  );
}
