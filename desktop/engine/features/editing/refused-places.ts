import { type ContentPath, type GuideContent, isListField, pathId } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { guideSaveOf } from '#desktop/engine/outbox/kinds/guides.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

/** Fields of a body that have another name in the editor. */
const names: Readonly<Record<string, string>> = {
  introduction: 'introduction_raw',
  conclusion: 'conclusion_raw',
  name: 'text',
};

/**
 * Where the server refused a save, with its words. A draft that was changed since has no such places: it is another text.
 *
 * - REFUSED-1 A refused save of a guide is told at the fields that the server names, so that it is corrected there. What it
 *   names in another way is told in Sync.
 */
export function refusedPlaces(
  calls: readonly Pick<OutboxCall, 'kind' | 'state' | 'context' | 'refusal'>[],
  content: GuideContent,
): { place: string; message: string }[] {
  const refused = calls.findLast((call) => call.state === 'parked' && guideSaveOf(call) !== undefined);
  const save = refused === undefined ? undefined : guideSaveOf(refused);
  if (refused === undefined || save === undefined || !sameValue(save.content, content)) return [];
  return (refused.refusal?.errors ?? []).flatMap(({ field, message }) => {
    const place = placeOf(field, content);
    return place === null ? [] : [{ place: pathId(place), message }];
  });
}

/** `tools.0.name` or `steps.2.lines.0.text` → the place in the guide; null if it is none. */
function placeOf(field: string, { steps }: GuideContent): ContentPath | null {
  const [first = '', index = '', ...rest] = field.split('.');
  const last = rest.at(-1) ?? '';
  if (first === 'steps') {
    const step = steps[Number(index)];
    if (step === undefined) return null;
    if (rest[0] !== 'lines') return { step: step.key, field: last === '' ? 'title' : (rest[0] ?? '') };
    const line = step.lines[Number(rest[1])];
    if (line === undefined) return { step: step.key, field: 'lines' };
    return { step: step.key, line: line.id, field: last === 'level' ? 'level' : 'text_raw' };
  }
  if (index !== '' && isListField(first)) return { list: first, element: index, field: names[last] ?? last };
  return index === '' && first !== '' ? { field: names[first] ?? first } : null;
}
