import type { Contradiction, DesignedForm } from '#desktop/engine/areas/step-forms.ts';
import { designerText } from '#desktop/renderer/text/en/form-designer.ts';
import { formatDigits } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { canonicalJson } from '#shared/rules/canonical-json.ts';
import type { DesignedField } from '#shared/rules/form-design.ts';

import styles from './form-designer.module.css';

interface ContradictionsProps {
  form: DesignedForm;
  fields: readonly DesignedField[];
  /** Those that are not settled (`openIn`). */
  open: readonly Contradiction[];
  onSettle: (id: string, fields: DesignedField[]) => void;
}

/** Identity of a contradiction in a form. With another version it is another one, which is chosen anew. */
function idOf({ field_guid, property, mine, theirs }: Contradiction): string {
  return canonicalJson([field_guid, property, mine, theirs]);
}

/** The contradictions of a form that wait for a choice. `settled`: the ids of those that are settled. */
export function openIn({ conflicts }: DesignedForm, settled: readonly string[]): Contradiction[] {
  return conflicts.filter((one) => !settled.includes(idOf(one)));
}

/** Why the last save was refused, and what two authors changed differently, each with both versions. */
export function Contradictions({ form, fields, open, onSettle }: ContradictionsProps) {
  if (form.state !== 'refused') return null;
  if (form.conflicts.length === 0)
    return (
      <Notice tone="danger" title={designerText.refused}>
        {refusedWords(form.refusal ?? '')}
      </Notice>
    );
  if (open.length === 0) return null;
  return (
    <Notice tone="warn" title={designerText.contradictions}>
      <p>{designerText.contradictionsHint}</p>
      <ul className={classNames(styles, 'choices')}>
        {open.map((one) => (
          <li key={idOf(one)} className={classNames(styles, 'choice')}>
            <strong>{nameOf(one, fields)}</strong>
            <span>{designerText.mineIs(words(one.mine))}</span>
            <span>{designerText.theirsIs(words(one.theirs))}</span>
            <span className={classNames(styles, 'pair')}>
              <Button onPress={() => onSettle(idOf(one), withMine(fields, one))}>{designerText.mine}</Button>
              <Button onPress={() => onSettle(idOf(one), withTheirs(fields, one))}>
                {designerText.theirs}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function nameOf(
  { field_guid, property, mine, theirs }: Contradiction,
  fields: readonly DesignedField[],
): string {
  const field = fields.find((one) => one.field_guid === field_guid) ?? asField(mine) ?? asField(theirs);
  const what = property === null ? designerText.wholeField : (designerText.properties[property] ?? property);
  return `${field?.label ?? ''}: ${what}`;
}

function asField(value: unknown): DesignedField | null {
  return typeof value === 'object' && value !== null && 'field_guid' in value
    ? (value as DesignedField)
    : null;
}

/** A value in words. */
function words(value: unknown): string {
  if (value === null || value === undefined) return designerText.removedValue;
  if (typeof value === 'boolean') return value ? designerText.yes : designerText.no;
  if (Array.isArray(value)) return value.join(', ');
  const field = asField(value);
  if (field !== null) return field.label;
  if (typeof value === 'object') return limitsIn(value);
  if (value === '') return designerText.emptyValue;
  if (typeof value === 'number') return formatDigits(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Limits of a number in words. */
function limitsIn(value: object): string {
  const { limit_min, min, limit_max, max, limit_decimals, decimals } = value as Record<string, unknown>;
  const parts = [
    ...(limit_min === true ? [`${designerText.least} ${formatDigits(String(min))}`] : []),
    ...(limit_max === true ? [`${designerText.most} ${formatDigits(String(max))}`] : []),
    ...(limit_decimals === true ? [`${designerText.decimals} ${String(decimals)}`] : []),
  ];
  return parts.length === 0 ? designerText.emptyValue : parts.join(', ');
}

function withMine(fields: readonly DesignedField[], one: Contradiction): DesignedField[] {
  return withVersion(fields, one, one.mine);
}

function withTheirs(fields: readonly DesignedField[], one: Contradiction): DesignedField[] {
  return withVersion(fields, one, one.theirs);
}

function withVersion(
  fields: readonly DesignedField[],
  { field_guid, property }: Contradiction,
  value: unknown,
): DesignedField[] {
  if (property === null)
    return value === null ? fields.filter((field) => field.field_guid !== field_guid) : [...fields];
  return fields.map((field) => {
    if (field.field_guid !== field_guid) return field;
    const rest = Object.entries(field).filter(([name]) => name !== property);
    const next = value === null ? rest : [...rest, [property, value]];
    return Object.fromEntries(next) as DesignedField;
  });
}
