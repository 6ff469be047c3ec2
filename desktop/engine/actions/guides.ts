import { notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { isTemporaryId } from '#shared/rules/guide-content.ts';
import { previousRevision } from '#shared/sync/wire.ts';

import type { CoreActions } from '../api/engine.ts';
import type { NewCall, OutboxCall } from '../platform/ports.ts';
import {
  type ActionContext,
  guideTitle,
  impossible,
  laneOf,
  openCallsOf,
} from '../features/action-context.ts';

/** Actions on guides, except editing. */
export function guideActions(context: ActionContext): Pick<CoreActions, 'favorite' | 'complete' | 'publish'> {
  const { outbox } = context.sources.core;
  return {
    async favorite(guideid, on) {
      await outbox.add([await mark(context, 'favorite', guideid, on)]);
    },
    async complete(guideid, on) {
      await outbox.add([await mark(context, 'completion', guideid, on)]);
    },
    async publish(guideid, on) {
      await outbox.add([await publication(context, guideid, on)]);
    },
  };
}

const markPaths = {
  favorite: (id: string) => `/user/favorites/guides/${id}`,
  completion: (id: string) => `/guides/${id}/completed`,
};

async function mark(
  context: ActionContext,
  kind: 'favorite' | 'completion',
  guideid: string,
  on: boolean,
): Promise<NewCall> {
  const id = context.resolve(guideid);
  if (isTemporaryId(id) && openCallsOf(context, 'guides', id).length === 0)
    throw impossible('Save the guide first: the server does not know it yet.');
  const target = { collection: 'viewer', id: `${kind}:${id}` } as const;
  return {
    kind,
    lane: `viewer:${kind}:${id}`,
    method: on ? 'PUT' : 'DELETE',
    path: markPaths[kind](id),
    target,
    subject: await guideTitle(context, guideid),
  };
}

/** The context of a `guide-publish` call. */
export interface Publication {
  base: GuideFacts | null;
}

/** The publication in a call's context. Its shape is checked where it is read (outbox/kinds/guides.ts). */
export function publicationOf(call: OutboxCall): Publication | undefined {
  return call.kind === 'guide-publish' ? (call.context as Publication) : undefined;
}

async function publication(context: ActionContext, guideid: string, on: boolean): Promise<NewCall> {
  const id = context.resolve(guideid);
  const record = id.startsWith('tmp:') ? null : await context.sources.core.mirror.get('guides', id);
  if (record === null && openCallsOf(context, 'guides', id).length === 0) throw notFound('Guide');
  return {
    kind: 'guide-publish',
    lane: laneOf(context, 'guide', 'guides', id),
    method: on ? 'PUT' : 'DELETE',
    path: `/guides/${id}/public`,
    query: { revisionid: guideRevision(context, id, record?.facts ?? null) },
    target: { collection: 'guides', id },
    subject: await guideTitle(context, guideid),
    context: { base: record?.facts ?? null } satisfies Publication,
  };
}

/**
 * The revision that the next call of a guide names: that of the call before it, or the server's. If the call before it
 * is a publication on a later version than `facts`, its revision would hide the difference. Then the call names the
 * revision of `facts`, so that it is merged with the later version.
 */
export function guideRevision(context: ActionContext, guideid: string, facts: GuideFacts | null): string {
  const awaited = openCallsOf(context, 'guides', guideid).findLast(({ state }) => state !== 'parked');
  if (facts === null) return previousRevision;
  const later = awaited === undefined ? undefined : publicationOf(awaited)?.base?.revisionid;
  const isBehind = later !== undefined && later > facts.revisionid;
  return awaited === undefined || isBehind ? String(facts.revisionid) : previousRevision;
}
