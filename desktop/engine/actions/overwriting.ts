import type { PersonFacts } from '#shared/model/user.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { entryContextOf, recordedValue, enteredValues } from '../outbox/kinds/work-orders.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { commentBaseOf, commentTextOf } from '../outbox/kinds/comments.ts';
import { profileBaseOf, profileEditOf, profileFieldNames, profileFieldsOf } from '../outbox/kinds/people.ts';
import type { ActionContext } from '../features/action-context.ts';

/** One text that a call writes. `before`: the text that it replaced; undefined if unknown. `now`: the present text. */
interface Written {
  place: string;
  before: unknown;
  after: unknown;
  now: unknown;
}

/**
 * Which of these calls, which a restored server has lost, would replace what somebody wrote since (OUTBOX-35): the
 * present text is neither the one that the call replaced, nor that of the call, nor that of an earlier call. Resolves
 * to their ids.
 */
export async function overwriting(
  context: ActionContext,
  calls: readonly OutboxCall[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const own = new Set<string>();
  for (const call of calls) {
    const written = await writtenBy(context, call);
    if (written.some((one) => !own.has(one.place) && isOther(one))) found.add(call.id);
    else for (const { place } of written) own.add(place);
  }
  return found;
}

/** Whether the present text would be lost. An empty text is not. */
function isOther({ before, after, now }: Written): boolean {
  return now !== null && now !== '' && !sameValue(now, after) && !sameValue(now, before);
}

async function writtenBy(context: ActionContext, call: OutboxCall): Promise<Written[]> {
  const { mirror } = context.sources.core;
  const id = context.resolve(call.target.id);
  // A record that is created again cannot have been changed by others.
  if (id.startsWith('tmp:')) return [];
  switch (call.kind) {
    case 'profile-save': {
      const facts = (await mirror.get('people', id))?.facts;
      return facts?.kind === 'user' ? profileTexts(call, facts) : [];
    }
    case 'comment-edit':
    case 'comment-remove': {
      const now = (await mirror.get('comments', id))?.facts.text_raw;
      if (now === undefined) return [];
      const after = call.kind === 'comment-edit' ? commentTextOf(call) : null;
      return [{ place: id, before: commentBaseOf(call), after, now }];
    }
    case 'entry-data': {
      const facts = (await mirror.get('workLog', id))?.facts;
      const values = entryContextOf(call);
      if (facts === undefined || values === undefined) return [];
      return enteredValues(values).map(({ data, before }) => {
        const field = data.field_revisionid;
        return { place: `${id}/${field}`, before, after: data.value, now: recordedValue(facts, field) };
      });
    }
    default:
      return [];
  }
}

function profileTexts(call: OutboxCall, facts: PersonFacts): Written[] {
  const base = profileBaseOf(call);
  const now = profileFieldsOf(facts);
  const edit = profileEditOf(call) ?? {};
  return profileFieldNames.flatMap((field): Written[] => {
    const after = edit[field];
    if (after === undefined) return [];
    const place = `${call.target.id}/${field}`;
    return [{ place, before: base?.[field], after: (after ?? '').trim(), now: now[field] }];
  });
}
