import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';

/** A part of a call's body that a person can write anew. */
export interface EditablePart {
  /** `text`: the words of a comment; else the field revision of a recorded value. */
  id: string;
  value: string;
}

/** The words or values of a call that a person can change; null when there are none. */
export function editablePartsOf({ kind, call }: ActivityItem): EditablePart[] | null {
  const body = entriesOf(call.body);
  if (kind === 'comment') {
    const words = body.get('text');
    return typeof words === 'string' ? [{ id: 'text', value: words }] : null;
  }
  if (kind !== 'work-order') return null;
  const parts = [...entriesOf(body.get('fields'))].map(([id, value]) => ({ id, value: String(value) }));
  return parts.length === 0 ? null : parts;
}

/** The body with the parts written anew. */
export function editedBody({ kind, call }: ActivityItem, parts: readonly EditablePart[]): unknown {
  const values = Object.fromEntries(parts.map(({ id, value }) => [id, value]));
  const body = Object.fromEntries(entriesOf(call.body));
  return kind === 'comment' ? { ...body, ...values } : { ...body, fields: values };
}

function entriesOf(value: unknown): Map<string, unknown> {
  return new Map(Object.entries(typeof value === 'object' && value !== null ? value : {}));
}
