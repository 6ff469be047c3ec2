import { z } from 'zod';

const made = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The same schema for a reader that ignores what it does not know: unknown keys are dropped at any depth, where the
 * strict schema would refuse them. Known keys are checked as before.
 * @throws Error for a kind of schema that messages do not use, so that no schema stays strict by accident
 */
export function tolerant<T extends z.ZodType>(schema: T): z.ZodType<z.output<T>> {
  const known = made.get(schema);
  // The copy has the same keys as its original, so it gives the same type.
  if (known !== undefined) return known as z.ZodType<z.output<T>>;
  const copy = copyOf(schema) as z.ZodType<z.output<T>>;
  made.set(schema, copy);
  return copy;
}

const leaves = [
  z.ZodString,
  z.ZodStringFormat,
  z.ZodNumber,
  z.ZodBoolean,
  z.ZodNull,
  z.ZodEnum,
  z.ZodLiteral,
  z.ZodUnknown,
];

function copyOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return objectOf(schema);
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: innerOf(schema.element) });
  if (schema instanceof z.ZodOptional)
    return schema.clone({ ...schema.def, innerType: innerOf(schema.def.innerType) });
  if (schema instanceof z.ZodNullable)
    return schema.clone({ ...schema.def, innerType: innerOf(schema.def.innerType) });
  if (schema instanceof z.ZodDefault)
    return schema.clone({ ...schema.def, innerType: innerOf(schema.def.innerType) });
  if (schema instanceof z.ZodRecord)
    return schema.clone({ ...schema.def, valueType: innerOf(schema.def.valueType) });
  if (schema instanceof z.ZodDiscriminatedUnion)
    return schema.clone({ ...schema.def, options: schema.options.map(innerOf) });
  // The options may differ only in which keys they forbid, so exact matches are tried first.
  if (schema instanceof z.ZodUnion)
    return schema.clone({ ...schema.def, options: [...schema.options, ...schema.options.map(innerOf)] });
  if (leaves.some((kind) => schema instanceof kind)) return schema;
  throw new Error(`No tolerant reading of a ${schema.type}`);
}

function objectOf(schema: z.ZodObject): z.ZodType {
  if ((schema.def.checks ?? []).length > 0)
    throw new Error('No tolerant reading of an object with rules of its own');
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, innerOf(field)]);
  return z.object(Object.fromEntries(fields) as Record<string, z.ZodType>);
}

function innerOf(schema: z.core.SomeType): z.ZodType {
  if (schema instanceof z.ZodType) return tolerant(schema);
  throw new Error('Not a schema');
}
