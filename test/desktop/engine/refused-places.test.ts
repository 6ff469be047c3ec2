import { expect, test } from 'vitest';

import { refusedPlaces } from '#desktop/engine/features/editing/refused-places.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { emptyContent, emptyStep } from '#shared/rules/guide-content.ts';

const step = {
  ...emptyStep('s1'),
  lines: [{ id: 'l1', bullet: 'black' as const, level: 0, text_raw: 'Unplug it' }],
};
const content = { ...emptyContent(), steps: [step] };

function refused(fields: string[]): Pick<OutboxCall, 'kind' | 'state' | 'context' | 'refusal'> {
  const errors = fields.map((field) => ({ field, message: 'Must not be empty' }));
  return {
    kind: 'guide-save',
    state: 'parked',
    context: { saveId: '1', base: null, before: emptyContent(), content },
    refusal: { status: 422, message: 'Validation failed', errors },
  };
}

test.each([
  ['tools.0.name', 'list:tools/element:0/text'],
  ['parts.2.url', 'list:parts/element:2/url'],
  ['steps.0.title', 'step:s1/title'],
  ['steps.0.lines.0.text', 'step:s1/line:l1/text_raw'],
  ['steps.0.lines.0.level', 'step:s1/line:l1/level'],
  ['steps.0.media.data.0', 'step:s1/media'],
  ['title', 'title'],
  ['introduction', 'introduction_raw'],
])('REFUSED-1 a refused %s is told at its field', (field, place) => {
  expect(refusedPlaces([refused([field])], content)).toEqual([{ place, message: 'Must not be empty' }]);
});

test('REFUSED-1 a draft that was changed since, or a place that is gone, is not told', () => {
  expect(refusedPlaces([refused(['title'])], { ...content, title: 'Belt' })).toEqual([]);
  expect(refusedPlaces([refused(['steps.7.title'])], content)).toEqual([]);
  expect(refusedPlaces([{ ...refused(['title']), state: 'queued' }], content)).toEqual([]);
});
