import type { Observable } from 'rxjs';

import type { Live } from '../api/engine.ts';

/** A stream as a live value: values are frozen, and equal values are not emitted again. */
export function toLive<T>(values: Observable<T>): Live<T> {
  return {
    subscribe(next, failed) {
      let last: { value: T } | undefined;
      const subscription = values.subscribe({
        next(value) {
          const shared = last === undefined ? freeze(value) : share(last.value, value);
          if (last !== undefined && shared === last.value) return;
          last = { value: shared };
          next(shared);
        },
        error: (error: unknown) =>
          failed(error instanceof Error ? error : new Error(String(error), { cause: error })),
      });
      return () => subscription.unsubscribe();
    },
  };
}

/**
 * `next`, in which parts that equal the part of `previous` at the same place, or with the same id, are replaced by it.
 */
export function share<T>(previous: T, next: T): T {
  return shared(previous, next) as T;
}

function shared(previous: unknown, next: unknown): unknown {
  if (Object.is(previous, next)) return previous;
  if (Array.isArray(previous) && Array.isArray(next)) return sharedArray(previous, next);
  if (isPlain(previous) && isPlain(next)) return sharedObject(previous, next);
  return freeze(next);
}

function sharedArray(previous: unknown[], next: unknown[]): unknown[] {
  const byId = new Map(
    previous.flatMap((item) => (idOf(item) === undefined ? [] : [[idOf(item), item] as const])),
  );
  const result = next.map((item, index) => shared(byId.get(idOf(item)) ?? previous[index], item));
  const same = result.length === previous.length && result.every((item, index) => item === previous[index]);
  return same ? previous : (Object.freeze(result) as unknown[]);
}

function sharedObject(
  previous: Record<string, unknown>,
  next: Record<string, unknown>,
): Record<string, unknown> {
  const keys = Object.keys(next);
  let same = keys.length === Object.keys(previous).length;
  const result: Record<string, unknown> = {};
  for (const key of keys) {
    result[key] = shared(previous[key], next[key]);
    if (result[key] !== previous[key] || !(key in previous)) same = false;
  }
  return same ? previous : Object.freeze(result);
}

const idFields = ['guideid', 'entryid', 'commentid', 'stepid', 'id', 'title'] as const;

function idOf(item: unknown): string | undefined {
  if (!isPlain(item)) return undefined;
  for (const field of idFields) {
    const id = item[field];
    if (typeof id === 'string') return `${field}:${id}`;
  }
  return undefined;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (!Array.isArray(value) && !isPlain(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
