import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { pipelined, type PipelinedClient } from '#server/storage/postgres/pipeline.ts';

/** A pipelined connection to a database that answers when it is told to, and what it was asked. */
function slowDatabase(): { client: PipelinedClient; asked: string[]; answer: (count: number) => void } {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const ask = (text: string): Promise<unknown> =>
    new Promise((resolve) => {
      asked.push(text);
      waiting.push(() => resolve({ rows: [] }));
    });
  const answer = (count: number): void => {
    for (let one = 0; one < count; one += 1) must(waiting.shift(), 'a statement')();
  };
  return { client: pipelined(ask, () => undefined), asked, answer };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('POSTGRES-22 statements without rows are sent before the ones ahead of them are answered', async () => {
  const { client, asked, answer } = slowDatabase();
  await client.send('one', []);
  await client.send('two', []);
  const read = client.query('three', []);
  expect(asked).toEqual(['one', 'two', 'three']);
  answer(3);
  expect(await read).toEqual({ rows: [] });
});

test('POSTGRES-23 no more than 100 statements are unanswered', async () => {
  const { client, asked, answer } = slowDatabase();
  const work = (async () => {
    for (let number = 0; number < 250; number += 1) await client.send(String(number), []);
    await client.settle();
  })();
  for (const sent of [100, 200, 250]) {
    await turn();
    expect(asked).toHaveLength(sent);
    answer(sent === 250 ? 50 : 100);
  }
  await work;
});
