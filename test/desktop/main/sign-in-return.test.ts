import { request } from 'node:http';

import { expect, test } from 'vitest';

import { mainTexts } from '#desktop/main/text/en.ts';
import { SignInReturn } from '#desktop/main/sign-in-return.ts';

const code = 'c'.repeat(43);
const english = { language: 'en', texts: mainTexts } as const;

/** Status and page of a GET; `host`: the Host header, as another site would send it. */
function open(url: string, host?: string): Promise<{ status: number | undefined; page: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(url, host === undefined ? {} : { headers: { host } }, (answer) => {
      let page = '';
      answer.on('data', (piece: Buffer) => (page += piece.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode, page }));
    });
    asking.on('error', reject);
    asking.end();
  });
}

test('ELECTRON-21 the browser brings a code to this machine, once, and the window returns to the front', async () => {
  let shown = 0;
  const { handlers } = new SignInReturn(() => (shown += 1), english);
  const url = await handlers.signInListen();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}$/);
  const waiting = handlers.signInWait();
  expect(await open(`${url}?code=${code}`)).toMatchObject({ status: 200 });
  expect(await waiting).toBe(code);
  expect(shown).toBe(1);
  await expect(open(`${url}?code=${code}`)).rejects.toThrow('ECONNREFUSED');
  await expect(handlers.signInWait()).rejects.toThrow('Nobody is signing in');
});

test('ELECTRON-21 another path, another host and an invalid code get no response, and the wait continues', async () => {
  const { handlers } = new SignInReturn(() => undefined, english);
  const url = await handlers.signInListen();
  const waiting = handlers.signInWait();
  const { origin, host, pathname } = new URL(url);
  expect((await open(`${origin}/?code=${code}`)).status).toBe(404);
  expect((await open(`${url}?code=${code}`, 'evil.example.org')).status).toBe(404);
  expect((await open(`${url}?code=<script>`)).status).toBe(404);
  expect((await open(url)).status).toBe(404);
  expect((await open(`http://${host}${pathname}?code=${code}`)).status).toBe(200);
  expect(await waiting).toBe(code);
});

test('ELECTRON-21 cancelling or starting again ends the wait', async () => {
  const { handlers } = new SignInReturn(() => undefined, english);
  const first = await handlers.signInListen();
  const waiting = handlers.signInWait();
  const second = await handlers.signInListen();
  expect(await waiting).toBeNull();
  expect(second).not.toBe(first);
  const again = handlers.signInWait();
  await handlers.signInEnd();
  expect(await again).toBeNull();
  await expect(open(`${second}?code=${code}`)).rejects.toThrow('ECONNREFUSED');
});
