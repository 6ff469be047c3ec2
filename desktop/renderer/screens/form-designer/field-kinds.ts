import { type DesignedField, newFieldGuid } from '#shared/rules/form-design.ts';
import type { NumericLimits } from '#shared/model/step-form.ts';

/** What an author chooses from: the types of the API with their extensions, by what is recorded. */
export const fieldKinds = [
  'number',
  'computed',
  'check',
  'radios',
  'select',
  'checkbox',
  'text',
  'area',
  'barcode',
  'date',
  'photos',
  'video',
  'document',
  'second',
] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** The kind of a field. */
export function kindOf({
  field_type,
  computed,
  reason_when_failed,
  format,
  second_person,
}: DesignedField): FieldKind {
  switch (field_type) {
    case 'Numeric Input':
      return computed === undefined ? 'number' : 'computed';
    case 'Checkbox':
      return reason_when_failed === true ? 'check' : 'checkbox';
    case 'Radios':
      return 'radios';
    case 'Select':
      return 'select';
    case 'Text Area':
      return 'area';
    case 'Image':
      return 'photos';
    case 'Video':
      return 'video';
    case 'Document':
      return 'document';
    default:
      if (second_person !== undefined) return 'second';
      return format === 'barcode' || format === 'date' ? format : 'text';
  }
}

/** The limits of a number that states none. */
export const openLimits: NumericLimits = {
  limit_decimals: false,
  decimals: 0,
  limit_min: false,
  min: 0,
  limit_max: false,
  max: 0,
};

/** The field as another kind. What both kinds have stays. */
export function asKind(field: DesignedField, kind: FieldKind): DesignedField {
  const { field_guid, label, required, placeholder } = field;
  const plain = { field_guid, label, required, placeholder, textarea: '', options: [] };
  const { unit, key, target, tolerance } = field;
  const number = {
    ...(unit === undefined ? {} : { unit }),
    ...(key === undefined ? {} : { key }),
    ...(target === undefined ? {} : { target }),
    ...(tolerance === undefined ? {} : { tolerance }),
    options: Array.isArray(field.options) ? openLimits : field.options,
  };
  const isChoice = field.field_type === 'Radios' || field.field_type === 'Select';
  const options = isChoice ? field.options : ['Pass', 'Fail'];
  const { reason_when_failed } = field;
  const reason = isChoice && reason_when_failed === true ? { reason_when_failed } : {};
  switch (kind) {
    case 'number':
      return { ...plain, field_type: 'Numeric Input', ...number };
    case 'computed':
      return { ...plain, field_type: 'Numeric Input', ...number, required: false, computed: '' };
    case 'check':
      return { ...plain, field_type: 'Checkbox', placeholder: '', required: false, reason_when_failed: true };
    case 'checkbox':
      return { ...plain, field_type: 'Checkbox', placeholder: '', required: false };
    case 'radios':
      return { ...plain, field_type: 'Radios', placeholder: '', required: false, options, ...reason };
    case 'select':
      return { ...plain, field_type: 'Select', placeholder: '', options, ...reason };
    case 'area':
      return { ...plain, field_type: 'Text Area', placeholder: '' };
    case 'photos':
      return { ...plain, field_type: 'Image', placeholder: '' };
    case 'video':
      return { ...plain, field_type: 'Video', placeholder: '' };
    case 'document':
      return { ...plain, field_type: 'Document', placeholder: '' };
    case 'second':
      return { ...plain, field_type: 'Text Input', placeholder: '', second_person: 'anyone' };
    case 'barcode':
    case 'date':
      return { ...plain, field_type: 'Text Input', format: kind };
    case 'text':
      return { ...plain, field_type: 'Text Input' };
    default:
      return kind satisfies never;
  }
}

/** A new field. `uuid` makes it another one than any field of another device. */
export function newField(kind: FieldKind, uuid: string): DesignedField {
  const blank: DesignedField = {
    field_guid: newFieldGuid(uuid),
    field_type: 'Text Input',
    label: '',
    required: true,
    placeholder: '',
    textarea: '',
    options: [],
  };
  return asKind(blank, kind);
}

/** Kinds that may always be left empty, as the API has it. */
export function isNeverRequired(kind: FieldKind): boolean {
  return kind === 'check' || kind === 'checkbox' || kind === 'radios' || kind === 'computed';
}
