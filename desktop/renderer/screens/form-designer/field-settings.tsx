import { text } from '#desktop/renderer/text/en.ts';
import { designerText } from '#desktop/renderer/text/en/form-designer.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { mostPhotos } from '#shared/api/work-log.ts';
import type { DesignedField } from '#shared/rules/form-design.ts';
import { isFailure } from '#shared/rules/field-value.ts';

import { kindOf, openLimits } from './field-kinds.ts';
import styles from './form-designer.module.css';
import { NumberSetting } from './number-setting.tsx';

export interface SettingsProps {
  field: DesignedField;
  /** All fields of the form. */
  form: readonly DesignedField[];
  onChange: (field: DesignedField) => void;
}

/** Sets a property, or removes it if it is undefined or empty. */
export function withSetting<K extends keyof DesignedField>(
  field: DesignedField,
  name: K,
  value: DesignedField[K] | undefined,
): DesignedField {
  const { [name]: _, ...rest } = field;
  return (value === undefined || value === '' ? rest : { ...rest, [name]: value }) as DesignedField;
}

/** The settings of a field besides its name and kind. */
export function FieldSettings(props: SettingsProps) {
  switch (kindOf(props.field)) {
    case 'number':
    case 'computed':
      return <NumberSettings {...props} />;
    case 'radios':
    case 'select':
      return <AnswerSettings {...props} />;
    case 'text':
    case 'barcode':
      return <TextSettings {...props} />;
    case 'area':
      return <StartText {...props} />;
    case 'photos':
      return <PhotoSettings {...props} />;
    case 'second':
      return <SecondSettings {...props} />;
    default:
      return null;
  }
}

function NumberSettings({ field, form, onChange }: SettingsProps) {
  const limits = Array.isArray(field.options) ? openLimits : field.options;
  const limit = (change: Partial<typeof limits>) => onChange({ ...field, options: { ...limits, ...change } });
  const unit = field.unit ?? '';
  const isDecimals = (value: number) => Number.isInteger(value) && value >= 0 && value <= 8;
  const shared = { suffix: unit === '' ? undefined : unit, error: designerText.wrongNumber };
  return (
    <>
      {field.computed !== undefined && <Expression field={field} form={form} onChange={onChange} />}
      <div className={classNames(styles, 'grid')}>
        <TextField
          label={designerText.unit}
          hint={designerText.unitHint}
          value={unit}
          onChange={(value) => onChange(withSetting(field, 'unit', value))}
        />
        <TextField
          label={designerText.shortName}
          hint={designerText.shortNameHint}
          value={field.key ?? ''}
          onChange={(value) => onChange(withSetting(field, 'key', value.trim()))}
        />
        <NumberSetting
          label={designerText.target}
          value={field.target}
          onChange={(value) => onChange(withSetting(field, 'target', value))}
          {...shared}
        />
        <NumberSetting
          label={designerText.tolerance}
          value={field.tolerance}
          onChange={(value) => onChange(withSetting(field, 'tolerance', value))}
          {...shared}
        />
        <NumberSetting
          label={designerText.least}
          value={limits.limit_min ? limits.min : undefined}
          onChange={(min) => limit(min === undefined ? { limit_min: false } : { limit_min: true, min })}
          {...shared}
        />
        <NumberSetting
          label={designerText.most}
          value={limits.limit_max ? limits.max : undefined}
          onChange={(max) => limit(max === undefined ? { limit_max: false } : { limit_max: true, max })}
          {...shared}
        />
        <NumberSetting
          label={designerText.decimals}
          hint={designerText.decimalsHint}
          value={limits.limit_decimals ? limits.decimals : undefined}
          isRight={isDecimals}
          onChange={(decimals) =>
            limit(decimals === undefined ? { limit_decimals: false } : { limit_decimals: true, decimals })
          }
          error={designerText.wrongDecimals}
        />
        {field.computed === undefined && <Example field={field} form={form} onChange={onChange} />}
      </div>
      <p className={classNames(styles, 'hint')}>{designerText.limitsHint}</p>
    </>
  );
}

function Expression({ field, form, onChange }: SettingsProps) {
  const numbers = form.flatMap(({ key, label, field_guid }) =>
    key === undefined || field_guid === field.field_guid ? [] : [{ key, label }],
  );
  const expression = field.computed ?? '';
  const insert = (key: string) => onChange({ ...field, computed: `${expression.trimEnd()} ${key}`.trim() });
  return (
    <>
      <TextField
        label={designerText.expression}
        hint={designerText.expressionHint}
        value={expression}
        onChange={(computed) => onChange({ ...field, computed })}
        isRequired
      />
      <div className={classNames(styles, 'names')} role="group" aria-label={designerText.insertName}>
        {numbers.length === 0 && <p className={classNames(styles, 'hint')}>{designerText.noNumbers}</p>}
        {numbers.map(({ key, label }) => (
          <Button
            key={key}
            tone="quiet"
            onPress={() => insert(key)}
            label={`${key}: ${designerText.insert(label)}`}
          >
            {key}
          </Button>
        ))}
      </div>
    </>
  );
}

function AnswerSettings({ field, onChange }: SettingsProps) {
  const options = Array.isArray(field.options) ? field.options : [];
  const failing = options.filter(
    (value) => value.trim() !== '' && isFailure({ field_type: field.field_type, value }),
  );
  const hint = failing.length === 0 ? designerText.noFailing : designerText.fails(failing.join(', '));
  return (
    <>
      <TextField
        label={designerText.answers}
        hint={hint}
        kind="long"
        value={options.join('\n')}
        onChange={(words) => onChange({ ...field, options: words.split('\n') })}
        isRequired
      />
      <CheckboxField
        label={designerText.reason}
        value={field.reason_when_failed === true}
        onChange={(on) => onChange(withSetting(field, 'reason_when_failed', on ? true : undefined))}
      />
    </>
  );
}

function Example({ field, onChange }: SettingsProps) {
  return (
    <TextField
      label={designerText.example}
      hint={designerText.exampleHint}
      value={field.placeholder}
      onChange={(placeholder) => onChange({ ...field, placeholder })}
    />
  );
}

function TextSettings(props: SettingsProps) {
  const { field, onChange } = props;
  return (
    <div className={classNames(styles, 'grid')}>
      <Example {...props} />
      <TextField
        label={designerText.pattern}
        hint={designerText.patternHint}
        value={field.pattern ?? ''}
        onChange={(value) => onChange(withSetting(field, 'pattern', value))}
      />
    </div>
  );
}

function StartText({ field, onChange }: SettingsProps) {
  return (
    <TextField
      label={designerText.startText}
      kind="long"
      value={field.textarea}
      onChange={(textarea) => onChange({ ...field, textarea })}
    />
  );
}

function PhotoSettings({ field, onChange }: SettingsProps) {
  const isCount = (value: number) => Number.isInteger(value) && value >= 1 && value <= mostPhotos;
  return (
    <div className={classNames(styles, 'grid')}>
      <NumberSetting
        label={designerText.photos}
        value={field.max_photos ?? 1}
        isRight={isCount}
        onChange={(most = 1) => onChange(withSetting(field, 'max_photos', most === 1 ? undefined : most))}
        error={designerText.wrongPhotos(mostPhotos)}
      />
    </div>
  );
}

function SecondSettings({ field, onChange }: SettingsProps) {
  const teams = useLive('formTeams');
  const chosen = field.second_person_teams ?? [];
  const choices = Object.entries(designerText.seconds).map(([id, name]) => ({ id, name }));
  const choose = (second_person: string) => {
    const { second_person_teams: _, ...rest } = field;
    onChange({ ...rest, second_person });
  };
  const toggle = (teamid: number, on: boolean) => {
    const next = on ? [...chosen, teamid] : chosen.filter((one) => one !== teamid);
    onChange(withSetting(field, 'second_person_teams', next.length === 0 ? undefined : next));
  };
  return (
    <>
      <SelectField
        label={designerText.second}
        choices={choices}
        value={field.second_person ?? null}
        onChange={choose}
        placeholder={text.player.choose}
      />
      {field.second_person === 'members' && (
        <div role="group" aria-label={designerText.teams} className={classNames(styles, 'teams')}>
          {teams.length === 0 && <p className={classNames(styles, 'hint')}>{designerText.noTeams}</p>}
          {teams.map(({ teamid, name }) => (
            <CheckboxField
              key={teamid}
              label={name}
              value={chosen.includes(teamid)}
              onChange={(on) => toggle(teamid, on)}
            />
          ))}
        </div>
      )}
    </>
  );
}
