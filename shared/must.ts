/** Returns `value`, or throws naming `what` when it is null or undefined: an invariant the types cannot express. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`Expected ${what}`);
  return value;
}

/** Throws `what` unless `condition` holds. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`Expected ${what}`);
}

/** Ends a switch over a closed union; a value that reaches it is a bug. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected case ${String(value)}`);
}
