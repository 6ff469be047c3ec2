/**
 * The value with NUL (U+0000) removed from all texts and keys, because no server stores it; it can come from a paste.
 * Returns `value` itself when it contains none.
 */
export function withoutNul<T>(value: T): T {
  return cleaned(value) as T;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) {
    const items = value.map(cleaned);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value);
  const next = entries.map(([name, inner]) => [name.replaceAll('\0', ''), cleaned(inner)] as const);
  const isSame = next.every(
    ([name, inner], index) => name === entries[index]?.[0] && inner === entries[index][1],
  );
  return isSame ? value : Object.fromEntries(next);
}
