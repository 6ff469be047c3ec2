type Joined<Parts extends readonly object[]> = Parts extends readonly [
  infer First extends object,
  ...infer Rest extends readonly object[],
]
  ? First & Joined<Rest>
  : unknown;

/** The members of these objects in one object. Throws if two of the objects have a member of the same name. */
export function joined<Parts extends readonly object[]>(...parts: Parts): Joined<Parts> {
  const names = parts.flatMap(Object.keys);
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated.length > 0) throw new Error(`Two parts have the same name: ${repeated.join(', ')}`);
  return Object.assign({}, ...parts) as Joined<Parts>;
}
