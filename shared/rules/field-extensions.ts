import { z } from 'zod';

import type { FieldEdit } from '#shared/api/step-forms.ts';
import {
  fieldExtensions,
  type FieldExtensions,
  type FieldType,
  type FormField,
} from '#shared/model/step-form.ts';

import { fieldPatternFlaw } from './field-pattern.ts';
import { isFunctionName } from './expressions.ts';
import { isKindOfSecondPerson } from './second-person.ts';

type Name = keyof FieldExtensions;

/** The types that use each extension. */
const usedBy: Record<Name, readonly FieldType[]> = {
  key: ['Numeric Input'],
  unit: ['Numeric Input'],
  target: ['Numeric Input'],
  tolerance: ['Numeric Input'],
  computed: ['Numeric Input'],
  reason_when_failed: ['Checkbox', 'Radios', 'Select'],
  max_photos: ['Image'],
  format: ['Text Input'],
  pattern: ['Text Input'],
  second_person: ['Text Input'],
  second_person_teams: ['Text Input'],
};

const names = Object.keys(fieldExtensions) as Name[];
const extensionsSchema = z.strictObject(fieldExtensions);

/** What is wrong with extensions. `names`: those that contradict something. `drop`: those to drop if none was named. */
interface Flaw {
  names: readonly Name[];
  drop: readonly Name[];
  message: string;
}

/**
 * The extensions of a field after an edit (FIELD-1), or why they are refused. `old`: the field before. What the edit does
 * not name stays as it was; if that no longer fits the field it is dropped, so that a save of documented properties is
 * never refused because of an extension.
 */
export function settleExtensions(
  type: FieldType,
  edit: Pick<FieldEdit, Name>,
  options: FormField['options'],
  old: FieldExtensions = {},
): FieldExtensions | string {
  const entries = names.flatMap((name) => {
    const value = edit[name] === undefined ? old[name] : edit[name];
    const isSet = value !== undefined && value !== null && value !== false;
    return isSet && usedBy[name].includes(type) ? [[name, value]] : [];
  });
  let settled = extensionsSchema.parse(Object.fromEntries(entries));
  for (const check of checks) {
    const flaw = check(settled, options);
    if (flaw === null) continue;
    if (flaw.names.some((name) => edit[name] != null)) return flaw.message;
    settled = without(settled, flaw.drop);
  }
  return settled;
}

/** The same extensions without some of them. */
export function without(extensions: FieldExtensions, dropped: readonly Name[]): FieldExtensions {
  const kept = Object.entries(extensions).filter(([name]) => !dropped.some((one) => one === name));
  return extensionsSchema.parse(Object.fromEntries(kept));
}

/** Checks of a field by itself. `settleComputed` checks what concerns several fields. */
const checks: ((settled: FieldExtensions, options: FormField['options']) => Flaw | null)[] = [
  ({ target, tolerance }) =>
    tolerance === undefined || target !== undefined
      ? null
      : {
          names: ['target', 'tolerance'],
          drop: ['tolerance'],
          message: 'a tolerance needs a target',
        },
  ({ target }, options) =>
    target === undefined || Array.isArray(options) || isWithin(target, options)
      ? null
      : {
          names: ['target', 'tolerance'],
          drop: ['target', 'tolerance'],
          message: 'the target lies outside of the limits',
        },
  ({ key }) =>
    key === undefined || !isFunctionName(key)
      ? null
      : { names: ['key'], drop: ['key'], message: `"${key}" is the name of a function` },
  ({ format }) =>
    format === undefined || format === 'barcode' || format === 'date'
      ? null
      : { names: ['format'], drop: ['format'], message: `there is no format "${format}"` },
  ({ pattern }) => {
    const message = pattern === undefined ? null : fieldPatternFlaw(pattern);
    return message === null ? null : { names: ['pattern'], drop: ['pattern'], message };
  },
  ({ second_person }) =>
    second_person === undefined || isKindOfSecondPerson(second_person)
      ? null
      : {
          names: ['second_person'],
          drop: ['second_person', 'second_person_teams'],
          message: `a second person is anyone, members or leads, not "${second_person}"`,
        },
  ({ second_person, second_person_teams = [] }) =>
    second_person !== 'members' || second_person_teams.length > 0
      ? null
      : {
          names: ['second_person'],
          drop: ['second_person', 'second_person_teams'],
          message: 'name the teams whose members may confirm',
        },
  ({ second_person, second_person_teams }) =>
    second_person === 'members' || second_person_teams === undefined
      ? null
      : {
          names: ['second_person_teams'],
          drop: ['second_person_teams'],
          message: 'only a second person of the kind members has teams',
        },
  ({ second_person, format, pattern }) =>
    second_person === undefined || (format === undefined && pattern === undefined)
      ? null
      : {
          names: ['second_person', 'format', 'pattern'],
          drop: ['format', 'pattern'],
          message: 'the name of a second person has neither format nor pattern',
        },
];

function isWithin(value: number, limits: Exclude<FormField['options'], string[]>): boolean {
  return !(limits.limit_min && value < limits.min) && !(limits.limit_max && value > limits.max);
}
