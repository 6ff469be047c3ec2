import { expect, test } from 'vitest';

import { portions } from '#desktop/engine/outbox/offer.ts';
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
