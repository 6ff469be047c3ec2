import { apiPrefix } from '#shared/api/endpoint.ts';
import { waitingProfileEdit } from '#shared/api/users.ts';

import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { callKindSpecs } from '#desktop/engine/outbox/kinds/index.ts';

/** Whether the app lets such a call wait: a file from outside may hold any other under the same name (WAITING-8). */
export function mayWait(call: OutboxCall): boolean {
  const hasFile = call.fileId !== null;
  const isKnown = callKindSpecs[call.kind].endpoints.some(
    ({ method, path, consumes }) =>
      method === call.method && isAt(call.path, path) && (consumes === 'bytes') === hasFile,
  );
  return isKnown && (call.kind !== 'profile-save' || isProfile(call.body));
}

/** What a temporary id may have become: it takes its place in paths. */
export function isId(text: string): boolean {
  return /^[\w-]+$/.test(text);
}

/** Whether a path is one of a template like `/guides/{guideid}`, and stays so when an address is made of it. */
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

/** What signs somebody in never waits. */
function isProfile(body: unknown): boolean {
  const fields = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  return fields.every((field) => Object.hasOwn(waitingProfileEdit.shape, field));
}
