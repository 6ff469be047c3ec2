import { z } from 'zod';

/** The nine field types of the spec. */
export const fieldTypes = [
  'Text Input',
  'Text Area',
  'Numeric Input',
  'Checkbox',
  'Radios',
  'Select',
  'Image',
  'Video',
  'Document',
] as const;
export const fieldType = z.enum(fieldTypes);
export type FieldType = z.infer<typeof fieldType>;

/** Limits of a Numeric Input. */
export const numericLimits = z.strictObject({
  limit_decimals: z.boolean(),
  decimals: z.int().min(0).max(8),
  limit_min: z.boolean(),
  min: z.number(),
  limit_max: z.boolean(),
  max: z.number(),
});
export type NumericLimits = z.infer<typeof numericLimits>;

/**
 * What a field may have beyond the spec.
 *
 * - FIELD-1 What is new is an optional property of a documented field type, never a type of its own. A client that does not
 *   know it reads, fills in and saves a plain field. A save that does not name it keeps it, `null` removes it, and a type
 *   that does not use it loses it.
 *
 * Of a Numeric Input: `key`, the name by which expressions of the same form refer to it; `unit`, such as `N·m`; `target`
 * and `tolerance`, how far from the target a value may be; `computed`, the expression from which the value follows.
 *
 * Of a Checkbox, Radios or Select: `reason_when_failed`, it is a check, and a failed one needs a reason. Of an Image:
 * `max_photos`. Of a Text Input: `format`, `barcode` or `date`, and `pattern`, a regular expression for the whole text;
 * `second_person`, who may confirm the values of the step, and `second_person_teams`, whose members may (COSIGN-1).
 */
export const fieldExtensions = {
  key: z.string().optional(),
  unit: z.string().optional(),
  target: z.number().optional(),
  tolerance: z.number().optional(),
  computed: z.string().optional(),
  reason_when_failed: z.boolean().optional(),
  max_photos: z.int().optional(),
  /** No enumeration, since more may follow: a device ignores what it does not know. */
  format: z.string().optional(),
  pattern: z.string().optional(),
  /** No enumeration, as `format`. */
  second_person: z.string().optional(),
  second_person_teams: z.array(z.int()).optional(),
};
export type FieldExtensions = z.infer<z.ZodObject<typeof fieldExtensions>>;

/**
 * A field of a step form. `options`: choices of Radios and Select, limits of a Numeric Input, else empty. Extensions: see
 * `fieldExtensions`.
 */
export const formField = z
  .strictObject({
    field_revisionid: z.int(),
    field_guid: z.string(),
    field_type: fieldType,
    label: z.string(),
    placeholder: z.string(),
    textarea: z.string(),
    required: z.boolean(),
    options: z.union([z.array(z.string()), numericLimits]),
    ...fieldExtensions,
  })
  .meta({ id: 'StepFormField' });
export type FormField = z.infer<typeof formField>;

/** A step form. The API record and the facts of the feed are the same (collection `stepForms`, id = stepid). */
export const stepForm = z
  .strictObject({
    form_revisionid: z.int(),
    stepid: z.int(),
    guideid: z.int(),
    fields: z.array(formField),
  })
  .meta({ id: 'StepForm' });
export type StepForm = z.infer<typeof stepForm>;
