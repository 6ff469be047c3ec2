import { expect, test } from 'vitest';

import { BrokenAnswers } from '#test/support/broken-answers.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

test('a request that the stand-in server does not know fails the test that caused it', async () => {
  const flaws = new BrokenAnswers();
  const server = new StandInServer({ report: (flaw) => flaws.note(flaw, 'a test') });
  const init = { method: 'POST', body: '{"text":"Belt"}' };
  const ask = (path: string) => server.fetch(`http://bench.test${path}`, init);
  flaws.beginTest();
  await expect(ask('/api/2.0/unheard-of')).rejects.toThrow();
  expect(() => flaws.endTest()).toThrow('no answer to POST /api/2.0/unheard-of {"text":"Belt"}');
});

test('a call that the stand-in server does not know fails the test that caused it', () => {
  const flaws: string[] = [];
  const server = new StandInServer({ report: (flaw) => flaws.push(flaw) });
  const call = { id: 'call-1', method: 'PUT', path: '/unheard-of', body: { text: 'Belt' } } as const;
  expect(() => server.call(call, 1)).toThrow();
  expect(flaws).toEqual(['The stand-in server has no answer to PUT /api/2.0/unheard-of {"text":"Belt"}']);
});

test('the stand-in server runs a repeated call once and answers with the current record', () => {
  const server = StandInServer.still();
  server.putGuide(7);
  const call = {
    id: 'comment-1',
    method: 'POST',
    path: '/comments/guide/7',
    body: { text: 'Belt' },
  } as const;
  const id = String(server.call(call, 1).rows[0]?.id);
  server.put('comments', id, { ...server.read<object>('comments', id), text_raw: 'Edited' });
  expect(server.call(call, 1)).toMatchObject({ replayed: true, rows: [{ id, doc: { text_raw: 'Edited' } }] });
  expect(server.effects.get(call.id)).toBe(1);
});
