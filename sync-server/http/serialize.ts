import { z } from 'zod';

import { JsonText } from './json-text.ts';

/** Removes what the schema does not declare; returns the value itself if there is nothing to remove. */
type Filter = (value: unknown) => unknown;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Compiles a serializer for responses of a schema, once for each endpoint. It follows the zod schema and then calls
 * `JSON.stringify`. A serializer made from JSON schema validates every branch of a union, at each level of a tree, and
 * took longer than everything else that a list does.
 *
 * `JsonText` is sent as it is.
 *
 * - INPUT-19 A field that the contract does not declare is never sent, at any level. A value that matches no form of
 *   the contract is an error.
 */
export function serializerOf(schema: z.ZodType): (body: unknown) => string {
  const filter = filterOf(schema);
  return (body) => (body instanceof JsonText ? body.text : JSON.stringify(filter(body)));
}

/** Compiled schemas: many endpoints share them, and a schema may contain itself. */
const known = new WeakMap<z.ZodType, Filter>();

function filterOf(schema: z.ZodType): Filter {
  const before = known.get(schema);
  if (before !== undefined) return before;
  let made: Filter | undefined;
  known.set(schema, (value) => (made === undefined ? value : made(value)));
  made = filterOfAny(formsOf(schema));
  known.set(schema, made);
  return made;
}

/** The schemas that a value may match: members of unions, without wrappers such as optional. */
function formsOf(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => formsOf(one as z.ZodType));
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  )
    return formsOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodLazy) return formsOf(laterOf(schema));
  // Responses are what the client parses, so the input side counts.
  return schema instanceof z.ZodPipe ? formsOf(schema.in as z.ZodType) : [schema];
}

const later = new WeakMap<z.ZodType, z.ZodType>();

/** The schema of a lazy one, cached, because each unwrap returns a new object. */
function laterOf(schema: z.ZodLazy): z.ZodType {
  const inner = later.get(schema) ?? (schema.unwrap() as z.ZodType);
  later.set(schema, inner);
  return inner;
}

const leaves = new Set(['string', 'number', 'boolean', 'null', 'literal', 'enum', 'never', 'undefined']);

function filterOfAny(forms: z.ZodType[]): Filter {
  if (forms.some((form) => form instanceof z.ZodUnknown || form instanceof z.ZodAny)) return (value) => value;
  const objects = forms.filter((form) => form instanceof z.ZodObject || form instanceof z.ZodRecord);
  const arrays = forms.filter((form) => form instanceof z.ZodArray);
  const odd = forms.find((form) => !(isTree(form) || leaves.has(form.def.type)));
  if (odd !== undefined) throw new Error(`No answer is written of a ${odd.def.type}`);
  if (objects.length === 0 && arrays.length === 0) return filterLeaf;
  const elements = arrays.flatMap((array) => formsOf(array.element as z.ZodType));
  const filterElement = arrays.length === 1 ? filterOf(arrays[0]?.element as z.ZodType) : undefined;
  const filterArray = arrays.length === 0 ? refuse : arrayFilter(filterElement ?? filterOfAny(elements));
  const filterObject = objects.length === 0 ? refuse : objectFilter(objects);
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? filterArray(value) : filterObject(value);
  };
}

function isTree(form: z.ZodType): boolean {
  return form instanceof z.ZodObject || form instanceof z.ZodRecord || form instanceof z.ZodArray;
}

function refuse(): never {
  throw new Error('An answer fits no form of its contract');
}

/** Refuses an object where the schema declares a text or number. */
function filterLeaf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? refuse() : value;
}

function arrayFilter(filter: Filter): Filter {
  return (value) => {
    const list = value as unknown[];
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index += 1) {
      const one = filter(list[index]);
      if (one === list[index]) continue;
      copy ??= [...list];
      copy[index] = one;
    }
    return copy ?? list;
  };
}

function objectFilter(forms: (z.ZodObject | z.ZodRecord)[]): Filter {
  const shapes = forms.map((form) => (form instanceof z.ZodObject ? shapeOf(form) : recordShape(form)));
  const [only] = shapes;
  if (only !== undefined && shapes.length === 1) return (value) => filterFields(value as Fields, only);
  return (value) => filterFields(value as Fields, bestOf(shapes, value as Fields));
}

/** One form of an object. */
interface Shape {
  fields: ReadonlyMap<string, Filter>;
  /** For fields that `fields` does not name; undefined: they are removed. */
  others: Filter | undefined;
  required: readonly string[];
  /** Fields that distinguish this form from others, with their values in it. */
  marks: readonly (readonly [name: string, values: ReadonlySet<unknown>])[];
}

function shapeOf(schema: z.ZodObject): Shape {
  const entries = Object.entries(schema.shape as Record<string, z.ZodType>);
  const { catchall } = schema.def;
  const isOpen = catchall !== undefined && !(catchall instanceof z.ZodNever);
  return {
    fields: new Map(entries.map(([name, field]) => [name, filterOf(field)])),
    others: isOpen ? filterOf(catchall as z.ZodType) : undefined,
    required: entries.flatMap(([name, field]) => (isOptional(field) ? [] : [name])),
    marks: entries.flatMap(([name, field]) => {
      const isMark = field instanceof z.ZodLiteral || field instanceof z.ZodEnum;
      return isMark
        ? [[name, new Set<unknown>(field instanceof z.ZodLiteral ? field.values : field.options)]]
        : [];
    }),
  };
}

function isOptional(field: z.ZodType): boolean {
  return field instanceof z.ZodOptional || field instanceof z.ZodDefault;
}

function recordShape(schema: z.ZodRecord): Shape {
  return {
    fields: new Map(),
    others: filterOf(schema.valueType as z.ZodType),
    required: [],
    marks: [],
  };
}

/** The form of a value: the one with the most matching marks, then the one that removes the fewest fields. */
function bestOf(shapes: readonly Shape[], value: Fields): Shape {
  const names = Object.keys(value);
  let best: { shape: Shape; marks: number; left: number } | undefined;
  for (const shape of shapes) {
    if (!shape.marks.every(([name, values]) => values.has(value[name]))) continue;
    if (!shape.required.every((name) => value[name] !== undefined)) continue;
    const marks = shape.marks.length;
    const left = shape.others === undefined ? names.filter((name) => !shape.fields.has(name)).length : 0;
    if (best === undefined || marks > best.marks || (marks === best.marks && left < best.left))
      best = { shape, marks, left };
  }
  return best?.shape ?? refuse();
}

function filterFields(value: Fields, { fields, others }: Shape): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const filter = fields.get(name) ?? others;
    const inner = value[name];
    const one = filter === undefined ? undefined : filter(inner);
    if (one === inner) continue;
    copy ??= { ...value };
    if (filter === undefined) delete copy[name];
    else copy[name] = one;
  }
  return copy ?? value;
}
