import { z } from 'zod';

import { fieldEdit, type FieldEdit, temporaryFieldGuid } from '#shared/api/step-forms.ts';
import type { FieldError } from '#shared/api/problem.ts';
import { mostPhotos } from '#shared/api/work-log.ts';
import { fieldExtensions, type FormField } from '#shared/model/step-form.ts';

import { settleForm } from './form-edit.ts';

/** A field of a form on a device. A field that the server does not have yet has a `field_guid` of the device. */
export type DesignedField = Omit<FormField, 'field_revisionid'>;

/** The form on which an edit is based. `form_revisionid`: 0 if the step had none. */
export interface FormBase {
  form_revisionid: number;
  fields: FormField[];
}

/** The most fields of a form. */
export const mostFields = 100;

/** A field without what only the server gives it. */
export function designedField({ field_revisionid: _revision, ...field }: FormField): DesignedField {
  return field;
}

/** Prefix of the guid of a field that the server does not have yet. It is no `tmp:`: no other call can name it. */
const newField = 'new:';

/** Whether the server has not given a field its guid yet. */
export function isNewField({ field_guid }: Pick<FormField, 'field_guid'>): boolean {
  return field_guid.startsWith(newField);
}

/** The guid of a new field on a device. */
export function newFieldGuid(uuid: string): string {
  return newField + uuid;
}

/** The body that turns a form into these fields (FIELD-1: null removes what a field had). */
export function formBody({ form_revisionid, fields: before }: FormBase, fields: readonly DesignedField[]) {
  const known = new Map<string, Partial<Record<string, unknown>>>(
    before.map((field) => [field.field_guid, field]),
  );
  return {
    form_revisionid,
    fields: fields.map((field) => {
      const old = known.get(field.field_guid) ?? {};
      const now: Partial<Record<string, unknown>> = field;
      const lost = Object.keys(fieldExtensions).filter(
        (name) => old[name] !== undefined && now[name] === undefined,
      );
      return {
        ...field,
        field_guid: isNewField(field) ? temporaryFieldGuid : field.field_guid,
        ...Object.fromEntries(lost.map((name) => [name, null])),
      };
    }),
  };
}

/** A fault of a field. `index`: its position in the form. */
export interface FormFault {
  index: number;
  message: string;
}

const shapes = z.array(fieldEdit);

/** Why a property is refused, in words. The messages of a schema are for programs. */
const words: Readonly<Record<string, string>> = {
  label: 'Name the field, with at most 500 characters',
  placeholder: 'An example has at most 500 characters',
  textarea: 'A text has at most 10,000 characters',
  options: 'A field has at most 200 answers, each with at most 500 characters',
  key: 'A short name is a letter, followed by up to 39 letters, digits or underscores',
  unit: 'A unit has 1 to 20 characters',
  target: 'The target is too large',
  tolerance: 'A tolerance is 0 or more',
  computed: 'An expression has 1 to 500 characters',
  max_photos: `Ask for 1 to ${mostPhotos} photos`,
  pattern: 'A pattern has 1 to 200 characters',
  second_person_teams: 'Name at most 50 teams',
};

/** Why the server would refuse this form, by the rules that it uses too (STEPFORM-1). */
export function faultsOf(base: FormBase, fields: readonly DesignedField[]): FormFault[] {
  const faults: FormFault[] = [];
  const sound: { edit: FieldEdit; index: number }[] = [];
  for (const [index, given] of formBody(base, fields).fields.entries()) {
    const { data, error } = fieldEdit.safeParse(given);
    if (data !== undefined) sound.push({ edit: data, index });
    const property = String(error?.issues[0]?.path[0] ?? '');
    if (error !== undefined)
      faults.push({ index, message: words[property] ?? 'This field cannot be saved so' });
  }
  // While a field has no form, an expression that names it is not judged.
  const errors: FieldError[] = faults.slice(0, 1).map(({ message }) => ({ field: '', message }));
  const known = new Map(base.fields.map((field) => [field.field_guid, field]));
  settleForm(
    sound.map(({ edit }) => edit),
    known,
    errors,
  );
  for (const { index: at, message } of errors) {
    const index = at === undefined ? undefined : sound[at]?.index;
    if (index !== undefined)
      faults.push({ index, message: sentence(message, fields[index]?.label.trim() ?? '') });
  }
  return faults.toSorted((a, b) => a.index - b.index);
}

/** The fields in the form in which the server stores them. To be called for a form without faults. */
export function settledFields(base: FormBase, fields: readonly DesignedField[]): DesignedField[] {
  const known = new Map(base.fields.map((field) => [field.field_guid, field]));
  const contents = settleForm(shapes.parse(formBody(base, fields).fields), known, []);
  return contents.map((content, index) => ({ ...content, field_guid: fields[index]?.field_guid ?? '' }));
}

/** A message as it stands beside its field: without the label with which it begins, and with a capital letter. */
function sentence(message: string, label: string): string {
  const start = `${label}: `;
  const bare = message.startsWith(start) ? message.slice(start.length) : message;
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}
