/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at this path of names; undefined if one is missing. */
export function at(value: Json | undefined, ...names: string[]): Json | undefined {
  return names.reduce<Json | undefined>(
    (found, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    value,
  );
}

export function textAt(value: Json | undefined, ...names: string[]): string | undefined {
  const found = at(value, ...names);
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: Json | undefined, ...names: string[]): number | undefined {
  const found = at(value, ...names);
  return typeof found === 'number' ? found : undefined;
}
