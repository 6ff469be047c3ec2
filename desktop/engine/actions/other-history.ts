import type { GuideFacts } from '#shared/model/guide.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { newestVersion } from '#shared/rules/wiki-record.ts';

import { isSameVersion } from '../features/editing/draft-manager.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { guideSaveOf } from '../outbox/kinds/guides.ts';
import { wikiContentOf, wikiSaveOf } from '../outbox/kinds/pages.ts';
import type { ActionContext } from './calls.ts';
import { publicationOf } from './guides.ts';

/**
 * Whether the revision that a call names belongs to another version by now (OUTBOX-31): numbers that a restored server had
 * given before may have been given again. Where the numbers differ the server notices by itself.
 */
export async function isMistaken(context: ActionContext, call: OutboxCall): Promise<boolean> {
  const { mirror } = context.sources.core;
  const id = context.resolve(call.target.id);
  if (id.startsWith('tmp:')) return false;
  const base = baseOf(call);
  if (base !== null) {
    const facts = (await mirror.get('guides', id))?.facts;
    return facts?.revisionid === base.revisionid && !isSameVersion(base, facts);
  }
  const page = wikiSaveOf(call)?.base ?? null;
  const facts = page === null ? undefined : (await mirror.get('wikis', id))?.facts;
  if (page === null || facts === undefined) return false;
  const version = newestVersion(facts);
  return version.revisionid === page.revisionid && !sameValue(wikiContentOf(version), page.content);
}

/** The version that a call of a guide was made on. */
export function baseOf(call: OutboxCall): GuideFacts | null {
  return (guideSaveOf(call) ?? publicationOf(call))?.base ?? null;
}
