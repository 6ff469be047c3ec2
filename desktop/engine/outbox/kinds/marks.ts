import { notFound } from '#shared/api/problem.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

import { markedId, onOrOff, switches, type CallKindSpec } from './kind.ts';

/** The tag of a `guide-tag` or `wiki-tag` call. */
export function tagOf({ body }: OutboxCall): string {
  return typeof body === 'object' && body !== null && 'tag' in body && typeof body.tag === 'string'
    ? body.tag
    : '';
}

function tagDetail(call: OutboxCall): string {
  return `${onOrOff(call)}:${tagOf(call)}`;
}

/** Calls that mark or tag a guide or page. */
export const markKinds = {
  favorite: {
    activity: 'favorite',
    about: (call) => ({ collection: 'guides', id: markedId(call) }),
    detail: onOrOff,
    join: switches,
  },
  completion: {
    activity: 'completion',
    about: (call) => ({ collection: 'guides', id: markedId(call) }),
    detail: onOrOff,
    join: switches,
  },
  'guide-tag': {
    activity: 'tag',
    absent: [notFound('Tag')],
    about: (call) => ({ collection: 'guides', id: markedId(call) }),
    detail: tagDetail,
    join: switches,
  },
  'wiki-tag': {
    activity: 'tag',
    absent: [notFound('Tag')],
    about: (call) => ({ collection: 'wikis', id: markedId(call) }),
    detail: tagDetail,
    join: switches,
  },
} satisfies Record<string, CallKindSpec>;
