import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { workshop } from '#test/desktop/engine/bench/bench-of-test.ts';
import type { Bench } from '#test/desktop/engine/bench/bench.ts';
import { follow, now, settled } from '#test/desktop/engine/bench/live-values.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

const minute = 60_000;

async function thread(bench: Bench) {
  return must(await now(bench.views.guide('7')), 'the guide').comments;
}

test('a comment on a step and its reply show immediately and stay in place when the server has them', async () => {
  const { bench } = await workshop();
  const id = await bench.actions.comment('step', '12', 'Is **this** right?');
  await bench.actions.comment('step', '12', 'It is.', id);
  const before = must(await now(bench.views.guide('7')), 'the guide').steps[1]?.comments;
  expect(before).toMatchObject([
    { commentid: id, mine: true, editable: true, pending: true, replies: [{ text: 'It is.' }] },
  ]);
  await bench.sync();
  const after = must(await now(bench.views.guide('7')), 'the guide').steps[1]?.comments;
  expect(after).toMatchObject([
    { text: 'Is **this** right?', pending: false, replies: [{ text: 'It is.', pending: false }] },
  ]);
});

test('an edit of an unsent comment is folded into it, and a removed unsent comment leaves nothing', async () => {
  const { bench } = await workshop();
  const id = await bench.actions.comment('guide', '7', 'First words');
  await bench.actions.editComment(id, 'Second words');
  expect(bench.outbox.present().map(({ kind, body }) => [kind, body])).toEqual([
    ['comment-add', { text: 'Second words' }],
  ]);
  expect((await thread(bench)).map(({ text }) => text)).toEqual(['Second words']);
  await bench.actions.removeComment(id);
  expect(bench.outbox.present()).toEqual([]);
  expect(await thread(bench)).toEqual([]);
});

test('a posted comment can be changed for five minutes of server time', async () => {
  const { server, bench } = await workshop();
  const id = await bench.actions.comment('guide', '7', 'Posted');
  await bench.sync();
  server.now += 4 * minute;
  await bench.actions.editComment(id, 'Corrected');
  expect(await thread(bench)).toMatchObject([
    { text: 'Corrected', edited: true, pending: true, editable: true },
  ]);
  await bench.sync();
  expect(await thread(bench)).toMatchObject([{ text: 'Corrected', pending: false }]);
  server.now += 2 * minute;
  await expect(bench.actions.editComment(id, 'Too late')).rejects.toMatchObject({ kind: 'forbidden' });
});

test('a posted comment becomes read-only automatically after five minutes', async () => {
  const { server, bench } = await workshop();
  await bench.actions.comment('guide', '7', 'Posted');
  await bench.sync();
  const { values, stop } = follow(bench.views.guide('7'));
  const lastEditable = () => values.at(-1)?.comments[0]?.editable;
  await expect.poll(lastEditable).toBe(true);
  server.now += 5 * minute - 1000;
  await settled();
  expect(lastEditable()).toBe(true);
  server.now += 1000;
  await expect.poll(lastEditable).toBe(false);
  stop();
});

test('a late correction is parked and can be posted as a reply', async () => {
  const { server, bench } = await workshop();
  const id = await bench.actions.comment('guide', '7', 'Posted');
  await bench.sync();
  await bench.actions.editComment(id, 'Corrected');
  server.now += 6 * minute;
  await bench.sync();
  const [parked] = await now(bench.views.activity());
  expect(parked).toMatchObject({ state: 'parked', kind: 'comment', refusal: { status: 403 } });
  expect((await thread(bench)).map(({ text }) => text)).toEqual(['Posted']);
  await bench.actions.postAsReply(must(parked, 'an item').id);
  await bench.sync();
  expect(await thread(bench)).toMatchObject([{ text: 'Posted', replies: [{ text: 'Corrected' }] }]);
  expect(bench.outbox.present()).toEqual([]);
});

test('a refused call keeps its text visible, and can be corrected and sent again', async () => {
  const { server, bench } = await workshop();
  await bench.actions.comment('guide', '7', 'Where did it go?');
  server.remove('guides', '7');
  await bench.sync();
  const [item] = await now(bench.views.activity());
  expect(item).toMatchObject({ state: 'parked', call: { body: { text: 'Where did it go?' } } });
  const { json } = await bench.actions.exportCall(must(item, 'an item').id);
  expect(JSON.parse(json)).toMatchObject({ body: { text: 'Where did it go?' } });
  server.put('guides', '7', plainGuide);
  await bench.actions.editCall(must(item, 'an item').id, { text: 'Here it is.' });
  await bench.sync();
  expect((await thread(bench)).map(({ text }) => text)).toEqual(['Here it is.']);
});

test('all refused calls, and only those, are sent again immediately', async () => {
  const { server, bench } = await workshop();
  await bench.actions.comment('guide', '7', 'First');
  await bench.actions.comment('guide', '7', 'Second');
  server.remove('guides', '7');
  await bench.sync();
  expect((await now(bench.views.activity())).map(({ state }) => state)).toEqual(['parked', 'parked']);
  server.put('guides', '7', plainGuide);
  expect(await bench.actions.sendAllAgain()).toBe(2);
  await bench.sync();
  expect(bench.outbox.present()).toEqual([]);
  expect(await bench.actions.sendAllAgain()).toBe(0);
});

test('OUTBOX-35 a call that would replace a newer text is not sent again with the rest', async () => {
  const { server, bench } = await workshop();
  await bench.actions.comment('guide', '7', 'First');
  await bench.actions.comment('guide', '7', 'Second');
  server.remove('guides', '7');
  await bench.sync();
  const [first, second] = bench.outbox.present();
  const { refusal } = must(first, 'a call');
  const stale = { ...must(refusal, 'a refusal'), status: 409 };
  await bench.outbox.change(must(first, 'a call').id, { state: 'parked', refusal: stale });
  server.put('guides', '7', plainGuide);
  expect(await bench.actions.sendAllAgain()).toBe(1);
  const states = bench.outbox.present().map(({ id, state }) => [id, state]);
  expect(states).toContainEqual([first?.id, 'parked']);
  expect(states).not.toContainEqual([second?.id, 'parked']);
});

test('only the last state of a favourite toggled before sending is sent', async () => {
  const { server, bench } = await workshop();
  await bench.actions.favorite('7', true);
  await bench.actions.complete('7', true);
  expect(await now(bench.views.guide('7'))).toMatchObject({ favorite: true, completed: true });
  await bench.actions.favorite('7', false);
  expect(bench.outbox.present().map(({ kind }) => kind)).toEqual(['favorite', 'completion']);
  expect(bench.outbox.present()[0]?.method).toBe('DELETE');
  expect(await now(bench.views.guide('7'))).toMatchObject({ favorite: false, completed: true });
  await bench.sync();
  expect(await now(bench.views.guide('7'))).toMatchObject({ favorite: false, completed: true });
  expect(server.rowsAfter(0).map(({ id }) => id)).toContain('completion:7');
});

test('a favourite on the server can be removed and set again before anything is sent', async () => {
  const { server, bench } = await workshop();
  await bench.actions.favorite('7', true);
  await bench.sync();
  await bench.actions.favorite('7', false);
  await bench.actions.favorite('7', true);
  expect(bench.outbox.present().map(({ method }) => method)).toEqual(['PUT']);
  await bench.sync();
  expect(await now(bench.views.guide('7'))).toMatchObject({ favorite: true });
  expect(server.rowsAfter(0).find(({ id }) => id === 'favorite:7')?.removed).toBeUndefined();
});
