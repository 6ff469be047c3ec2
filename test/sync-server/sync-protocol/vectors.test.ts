import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { pagePath, vectorsPath, vectorsText } from './files.ts';
import { playVectors, type Vector } from './vectors.ts';

const page = readFileSync(pagePath, 'utf8');

test('PROTOCOL-11 the server answers the documented requests with the documented bytes', async () => {
  // After a wanted change: node test/sync-server/sync-protocol/pin-vectors.ts
  expect(vectorsText(await playVectors())).toBe(readFileSync(vectorsPath, 'utf8'));
});

test('PROTOCOL-11 the page about the protocol names every vector, and no other', () => {
  const vectors = JSON.parse(readFileSync(vectorsPath, 'utf8')) as Vector[];
  const named = [...page.matchAll(/vector `([\w-]+)`/g)].map(([, name = '']) => name);
  expect([...new Set(named)].toSorted()).toEqual(vectors.map(({ name }) => name).toSorted());
});

test('PROTOCOL-11 what the page quotes from a vector is in it', () => {
  const vectors = new Map(
    (JSON.parse(readFileSync(vectorsPath, 'utf8')) as Vector[]).map((one) => [one.name, one]),
  );
  const quoted = [...page.matchAll(/```\w* vector=([\w-]+)\n([\s\S]*?)\n```/g)];
  expect(quoted.length).toBeGreaterThan(4);
  for (const [, name = '', quote = ''] of quoted) {
    const { request, response } = vectors.get(name) ?? { request: null, response: null };
    const text = [`${request?.method} ${request?.target}`, request?.body, response?.body].join('\n');
    // A line may leave out its middle or its end.
    for (const part of quote.split(/\n|…/).map((one) => one.trim()))
      expect([name, text]).toContainEqual(expect.stringContaining(part));
  }
});
