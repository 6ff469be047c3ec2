import { z } from 'zod';

/** The cards of the administrator's form, in their order. */
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

/** How the form shows a value. A field of a kind that begins with `optional` may be empty, which means null. */
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

/** A value of a setting: as it is stored, as administrators read it, and as they write it. */
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

/** A value inside of a setting with parts. */
export interface Part<
  Stored extends z.ZodType = z.ZodType,
  Read extends z.ZodType = z.ZodType,
  Edit extends z.ZodType = z.ZodType,
> extends Value<Stored, Read, Edit> {
  kind: FieldKind;
  /** What the form begins with; absent: with nothing. */
  begin?: string;
}

const secretEdit = z.string().max(1000).nullable().optional();

/** A part that nobody reads: administrators learn only whether it is set, as `has_` and its name. */
export interface SecretPart extends Value<z.ZodNullable<z.ZodString>, z.ZodBoolean, typeof secretEdit> {
  kind: 'secret';
  /** It belongs to whoever these parts name: another one does not get it. */
  belongsTo: readonly string[];
}

export type Parts = Readonly<Record<string, Part | SecretPart>>;

/** The name under which administrators read a part. */
type ReadName<P, Name> = Name extends string ? (P extends SecretPart ? `has_${Name}` : Name) : never;

type StoredParts<P extends Parts> = { [Name in keyof P]: P[Name]['stored'] };
type ReadParts<P extends Parts> = { -readonly [Name in keyof P as ReadName<P[Name], Name>]: P[Name]['read'] };
type EditParts<P extends Parts> = { [Name in keyof P]: P[Name]['edit'] };
type NullableObject<Shape extends z.core.$ZodLooseShape> = z.ZodNullable<z.ZodObject<Shape, z.core.$strict>>;

/** A setting that a switch turns on, with several parts; null: it is off. */
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

/** What a value of a kind is, without the limits of an edit. */
export const loose = {
  text: z.string(),
  optionalText: z.string().nullable(),
  number: z.int(),
  optionalNumber: z.int().nullable(),
  list: z.array(z.string()),
  switch: z.boolean(),
};

/** `edit` is what an administrator may write. What is stored was checked then, and stays readable when limits change. */
function plain<Stored extends z.ZodType, Edit extends z.ZodType>(
  kind: FieldKind,
  stored: Stored,
  group: SettingGroup,
  edit: Edit,
  value: z.output<Stored>,
): PlainSetting<Stored, Edit> {
  return { kind, group, stored, read: stored, edit, default: value };
}

/** A text that is always there. */
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

/** A value inside of a setting with parts. `begin`: what its field begins with. */
export function part<Stored extends z.ZodType, Edit extends z.ZodType>(
  kind: FieldKind,
  stored: Stored,
  edit: Edit,
  begin?: string,
): Part<Stored, Stored, Edit> {
  return { kind, stored, read: stored, edit, ...(begin === undefined ? {} : { begin }) };
}

/** A text that may be absent, at most so long; sites that were set up before it existed have none. */
export const optionalPart = (most: number) => ({
  ...part('optional-text', loose.optionalText, z.string().trim().min(1).max(most).nullable().default(null)),
  stored: loose.optionalText.default(null),
});

/** A switch that is off where it was not chosen. */
export const onOffPart = () => ({
  ...part('switch', loose.switch, z.boolean().default(false)),
  stored: loose.switch.default(false),
});

/** A secret. `belongsTo`: the parts that name whose it is; another one does not get it. */
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
    read: z.strictObject(shape('read')).nullable() as unknown as NullableObject<ReadParts<P>>,
    edit: z.strictObject(shape('edit') as EditParts<P>).nullable(),
  };
}

/** The name under which administrators read a part of a setting. */
export function readName(name: string, { kind }: Part | SecretPart): string {
  return kind === 'secret' ? `has_${name}` : name;
}
