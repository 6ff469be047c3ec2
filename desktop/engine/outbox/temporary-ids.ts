import { temporaryId, temporaryIdPattern } from '#shared/sync/wire.ts';

import type { OutboxCall } from '../ports.ts';

type Sendable = Pick<OutboxCall, 'path' | 'query' | 'body'>;

/** Every temporary id that stands in path, query or body, without `tmp:`; keys of steps name themselves, not others. */
export function temporaryIdsIn({ path, query, body }: Sendable): Set<string> {
  const text = JSON.stringify([path, query, withoutKeys(body)]);
  return new Set([...text.matchAll(temporaryIdPattern)].map(([match]) => bare(match)));
}

/** The temporary ids that a call makes real: its own, and the keys of the steps it creates. */
export function idsCreatedBy(call: Pick<OutboxCall, 'id' | 'body'>): string[] {
  const { steps } = asRecord(call.body);
  const keys = Array.isArray(steps) ? steps.map((step) => asRecord(step)['key']) : [];
  return [call.id, ...keys.flatMap((key) => (typeof key === 'string' ? [bare(key)] : []))];
}

/** What `call` needs from other calls. */
export function needsOf(call: Pick<OutboxCall, 'id' | 'path' | 'query' | 'body'>): string[] {
  const own = new Set(idsCreatedBy(call));
  return [...temporaryIdsIn(call)].filter((id) => !own.has(id));
}

/** The call with every temporary id that `realId` knows replaced; ids that stand alone in a body become numbers. */
export function withRealIds<T extends Sendable>(
  call: T,
  realId: (temporary: string) => string | undefined,
): T {
  if (temporaryIdsIn(call).size === 0) return call;
  const inText = (text: string): string =>
    text.replaceAll(temporaryIdPattern, (match) => realId(match) ?? match);
  const query = Object.fromEntries(Object.entries(call.query).map(([name, value]) => [name, inText(value)]));
  return { ...call, path: inText(call.path), query, body: replaceIn(call.body, realId) };
}

/** The id without `tmp:`. */
export function bare(temporary: string): string {
  const prefix = temporaryId('');
  return temporary.startsWith(prefix) ? temporary.slice(prefix.length) : temporary;
}

// A value of a form field is always a string, also when it is the id of a picture; a step's key stays its key.
const stringParents = new Set(['fields', 'value']);

function replaceIn(value: unknown, realId: (temporary: string) => string | undefined, parent = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, realId, parent));
  if (typeof value === 'object' && value !== null) {
    const inner = (name: string): string => (stringParents.has(parent) ? parent : name);
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        name === 'key' ? item : replaceIn(item, realId, inner(name)),
      ]),
    );
  }
  if (typeof value !== 'string' || !value.startsWith(temporaryId(''))) return value;
  const real = realId(value);
  if (real === undefined) return value;
  return stringParents.has(parent) || !/^\d+$/.test(real) ? real : Number(real);
}

function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (name === 'key' ? [] : [[name, withoutKeys(item)]])),
  );
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
