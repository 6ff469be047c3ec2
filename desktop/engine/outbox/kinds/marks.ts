import { guides } from '#shared/api/guides.ts';
import { notFound } from '#shared/api/problem.ts';
import { users } from '#shared/api/users.ts';
import { wikis } from '#shared/api/wikis.ts';
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
    endpoints: [users.favorite, users.unfavorite],
    about: (call) => ({ collection: 'guides', id: markedId(call) }),
    detail: onOrOff,
    join: switches,
  },
  completion: {
    activity: 'completion',
    endpoints: [guides.complete, guides.uncomplete],
    about: (call) => ({ collection: 'guides', id: markedId(call) }),
    detail: onOrOff,
    join: switches,
  },
  'guide-tag': {
    activity: 'tag',
    endpoints: [guides.addTag, guides.removeTag],
    absent: [notFound('Tag')],
    about: (call) => ({ collection: 'guides', id: markedId(call) }),
    detail: tagDetail,
    join: switches,
  },
  'wiki-tag': {
    activity: 'tag',
    endpoints: [wikis.addTag, wikis.removeTag],
    absent: [notFound('Tag')],
    about: (call) => ({ collection: 'wikis', id: markedId(call) }),
    detail: tagDetail,
    join: switches,
  },
} satisfies Record<string, CallKindSpec>;
