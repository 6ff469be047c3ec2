import { z } from 'zod';

/** The cards of the settings form, in order. */
export const settingGroups = [
  'names',
  'access',
  'passwords',
  'sign_on',
  'languages',
  'mail',
  'translation',
  'limits',
  'backups',
] as const;
export type SettingGroup = (typeof settingGroups)[number];

/** How the form shows a value. A field whose kind begins with `optional` may be empty, which means null. */
export type FieldKind =
  | 'text'
  | 'long'
  | 'url'
  | 'optional-text'
  | 'number'
  | 'optional-number'
  | 'list'
  | 'certificates'
  | 'switch';

/** The schemas of a value: as stored, as administrators read it, and as they write it. */
interface Value<Stored extends z.ZodType, Read extends z.ZodType, Edit extends z.ZodType> {
  stored: Stored;
  read: Read;
  edit: Edit;
}

/** A setting with one value, in one field of the form. */
export interface PlainSetting<
  Stored extends z.ZodType = z.ZodType,
  Edit extends z.ZodType = z.ZodType,
> extends Value<Stored, Stored, Edit> {
  kind: FieldKind;
  group: SettingGroup;
  default: z.output<Stored>;
}

/** One value of a setting with several parts. */
export interface Part<
  Stored extends z.ZodType = z.ZodType,
  Read extends z.ZodType = z.ZodType,
  Edit extends z.ZodType = z.ZodType,
> extends Value<Stored, Read, Edit> {
  kind: FieldKind;
  /** The initial value in the form; absent: empty. */
  begin?: string;
}

const secretEdit = z.string().max(1000).nullable().optional();

/** A part that the API never returns: administrators see only whether it is set, as `has_` and its name. */
export interface SecretPart extends Value<z.ZodNullable<z.ZodString>, z.ZodBoolean, typeof secretEdit> {
  kind: 'secret';
  /** The parts that identify the receiver of the secret. It is cleared when one of them changes. */
  belongsTo: readonly string[];
}

export type Parts = Readonly<Record<string, Part | SecretPart>>;

/** The name under which administrators read a part. */
type ReadName<P, Name> = Name extends string ? (P extends SecretPart ? `has_${Name}` : Name) : never;

type StoredParts<P extends Parts> = { [Name in keyof P]: P[Name]['stored'] };
type ReadParts<P extends Parts> = { -readonly [Name in keyof P as ReadName<P[Name], Name>]: P[Name]['read'] };
type EditParts<P extends Parts> = { [Name in keyof P]: P[Name]['edit'] };
type NullableObject<Shape extends z.core.$ZodLooseShape> = z.ZodNullable<
  z.ZodObject<{ -readonly [Name in keyof Shape]: Shape[Name] }, z.core.$strict>
>;

/** A setting of several parts that a switch turns on; null when it is off. */
export interface SettingWithParts<P extends Parts = Parts> extends Value<
  NullableObject<StoredParts<P>>,
  NullableObject<ReadParts<P>>,
  NullableObject<EditParts<P>>
> {
  kind: 'parts';
  group: SettingGroup;
  default: null;
  parts: P;
}

/** The schemas of values without the limits of an edit. */
export const loose = {
  text: z.string(),
  optionalText: z.string().nullable(),
  number: z.int(),
  optionalNumber: z.int().nullable(),
  list: z.array(z.string()),
  switch: z.boolean(),
};

/**
 * `edit` is the schema for writing. Stored values were checked with it when they were written; they stay readable when
 * the limits change.
 */
function plain<Stored extends z.ZodType, Edit extends z.ZodType>(
  kind: FieldKind,
  stored: Stored,
  group: SettingGroup,
  edit: Edit,
  value: z.output<Stored>,
): PlainSetting<Stored, Edit> {
  return { kind, group, stored, read: stored, edit, default: value };
}

/** A required text. */
export const text = <Edit extends z.ZodType>(group: SettingGroup, edit: Edit, value: string) =>
  plain('text', loose.text, group, edit, value);

/** A text of several lines. */
export const longText = <Edit extends z.ZodType>(group: SettingGroup, edit: Edit, value: string) =>
  plain('long', loose.text, group, edit, value);

/** A text, or null. */
export const optionalText = <Edit extends z.ZodType>(group: SettingGroup, edit: Edit) =>
  plain('optional-text', loose.optionalText, group, edit.nullable(), null);

/** A whole number. */
export const number = <Edit extends z.ZodType>(group: SettingGroup, edit: Edit, value: number) =>
  plain('number', loose.number, group, edit, value);

/** A whole number, or null. */
export const optionalNumber = <Edit extends z.ZodType>(group: SettingGroup, edit: Edit) =>
  plain('optional-number', loose.optionalNumber, group, edit.nullable(), null);

/** Several texts. */
export const list = <Edit extends z.ZodType>(group: SettingGroup, edit: Edit, value: string[]) =>
  plain('list', loose.list, group, edit, value);

/** A switch, off by default. */
export const onOff = (group: SettingGroup) => plain('switch', loose.switch, group, z.boolean(), false);

/** One value of a setting with parts. `begin`: the initial value of its field. */
export function part<Stored extends z.ZodType, Edit extends z.ZodType>(
  kind: FieldKind,
  stored: Stored,
  edit: Edit,
  begin?: string,
): Part<Stored, Stored, Edit> {
  return { kind, stored, read: stored, edit, ...(begin === undefined ? {} : { begin }) };
}

/** An optional text of at most `most` characters. Sites that were set up before it existed have none. */
export const optionalPart = (most: number) => ({
  ...part('optional-text', loose.optionalText, z.string().trim().min(1).max(most).nullable().default(null)),
  stored: loose.optionalText.default(null),
});

/** A switch, off by default. */
export const onOffPart = () => ({
  ...part('switch', loose.switch, z.boolean().default(false)),
  stored: loose.switch.default(false),
});

/** A secret. `belongsTo`: the parts that identify its receiver; when one of them changes, the secret is cleared. */
export const secret = (...belongsTo: string[]): SecretPart => ({
  kind: 'secret',
  stored: z.string().nullable(),
  read: z.boolean(),
  edit: secretEdit,
  belongsTo,
});

/** A setting with parts, off by default. */
export function withParts<P extends Parts>(group: SettingGroup, parts: P): SettingWithParts<P> {
  const shape = (of: 'stored' | 'read' | 'edit') =>
    Object.fromEntries(
      Object.entries(parts).map(([name, one]) => [of === 'read' ? readName(name, one) : name, one[of]]),
    );
  return {
    kind: 'parts',
    group,
    default: null,
    parts,
    stored: z.strictObject(shape('stored') as StoredParts<P>).nullable(),
    read: z.strictObject(shape('read') as ReadParts<P>).nullable(),
    edit: z.strictObject(shape('edit') as EditParts<P>).nullable(),
  };
}

/** The name under which administrators read a part of a setting. */
export function readName(name: string, { kind }: Part | SecretPart): string {
  return kind === 'secret' ? `has_${name}` : name;
}
