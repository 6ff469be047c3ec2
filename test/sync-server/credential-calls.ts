import { runCommand } from '#test/support/command-line.ts';
import type { TestServer } from '#test/support/server.ts';

export const own = 'a password of my own';

export const profileOf = ({ userid }: { userid: number }): string => `/users/${userid}`;

/** A call with or without a session, from any address. */
export async function from(
  { app }: TestServer,
  remoteAddress: string,
  { method = 'POST', path, body, headers = {} }: Asked,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await app.inject({
    method,
    url: `/api/2.0${path}`,
    remoteAddress,
    headers,
    payload: body,
  });
  return {
    status: answer.statusCode,
    body: answer.body === '' ? {} : (JSON.parse(answer.body) as Record<string, unknown>),
  };
}

export interface Asked {
  method?: 'POST' | 'PATCH';
  path: string;
  body: object;
  headers?: Record<string, string>;
}

export const as = ({ token }: { token: string }): Record<string, string> => ({
  authorization: `api ${token}`,
});

export const linkIn = (text: string | undefined): string => /token=([\w-]{43})/.exec(text ?? '')?.[1] ?? '';

export async function benchbook(server: TestServer, ...args: string[]): Promise<string> {
  const { out, err } = await runCommand([...args, '--data', server.dataDir]);
  return `${out}${err}`;
}
