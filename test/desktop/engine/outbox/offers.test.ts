import { expect, test } from 'vitest';

import { portions } from '#desktop/engine/outbox/offer.ts';
import { wireCall } from '#desktop/engine/outbox/offer-again.ts';
import { queuedCall } from '#test/desktop/engine/support/queued-call.ts';

test('O14 a long history of large saves is offered in order, in batches that every way takes', () => {
  const lengths = Array.from({ length: 120 }, (_, index) => (index * 7919) % 90_000);
  const calls = lengths.map((length, index) =>
    queuedCall({ kind: 'guide-save', id: `call-${index}`, body: { title: 'x'.repeat(length) } }),
  );
  const large = queuedCall({ kind: 'guide-save', id: 'large', body: { title: 'x'.repeat(700_000) } });
  const all = [...calls, large, ...calls.slice(0, 60)];
  const made = portions(all, 5);
  expect(made.flat()).toEqual(all);
  for (const part of made) {
    const bytes = part.reduce((sum, call) => sum + JSON.stringify(call.body).length, 0);
    expect(part.length).toBeLessThanOrEqual(50);
    if (part.length > 1) expect(bytes).toBeLessThanOrEqual(256 * 1024);
  }
});

test('O34 a profile names the picture that it takes by its guid, and one that waits for upload not at all', () => {
  const filesOf = (image: object, number: number | string) =>
    wireCall(queuedCall({ kind: 'profile-save', body: { image: number }, context: { image } }), 6).files;
  const size = { width: 4, height: 3 };
  expect(filesOf({ id: 7, guid: 'Portrait', ...size }, 7)).toEqual([
    { kind: 'image', id: 7, guid: 'Portrait' },
  ]);
  expect(filesOf({ id: 0, guid: 'tmp:photo-1', ...size }, 'tmp:photo-1')).toBeUndefined();
});
