import { apiPrefix } from '#shared/api/endpoint.ts';
import { waitingProfileEdit } from '#shared/api/users.ts';

import { offlineEndpoints } from '#desktop/engine/outbox/kinds/index.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

/** Whether the app itself would add such a call to the outbox: an imported file may contain any call (WAITING-8). */
export function mayWait(call: OutboxCall): boolean {
  const hasFile = call.fileId !== null;
  const isKnown = offlineEndpoints.some(
    ({ offline: kind, method, path, consumes }) =>
      kind === call.kind &&
      method === call.method &&
      isAt(call.path, path) &&
      (consumes === 'bytes') === hasFile,
  );
  return isKnown && (call.kind !== 'profile-save' || isProfile(call.body));
}

/** Whether a text may be a real id, which replaces a temporary one in paths. */
export function isId(text: string): boolean {
  return /^[\w-]+$/.test(text);
}

/** Whether a path matches a template like `/guides/{guideid}`, and still does as part of an address. */
function isAt(path: string, template: string): boolean {
  const names = template.split('/');
  const parts = path.split('/');
  const isSame = (name: string, index: number): boolean =>
    name.startsWith('{') ? parts[index] !== '' : parts[index] === name;
  return (
    parts.length === names.length &&
    names.every(isSame) &&
    URL.parse(apiPrefix + path, 'http://localhost')?.pathname === apiPrefix + path
  );
}

/** Whether a body contains only fields that may wait. A password or mail address may not. */
function isProfile(body: unknown): boolean {
  const fields = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  return fields.every((field) => Object.hasOwn(waitingProfileEdit.shape, field));
}
