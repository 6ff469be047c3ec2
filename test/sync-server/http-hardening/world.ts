import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { expect } from 'vitest';

import { problemCodes } from '#shared/api/problem.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

export let server: TestServer;
export let ana: TestPerson;
export const clock = { now: Date.now() };

export async function startWorld(): Promise<void> {
  server = await startServer({ now: () => clock.now });
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
}

export async function endWorld(): Promise<void> {
  await server[Symbol.asyncDispose]();
}

/** The response to raw bytes. */
export async function raw(bytes: string): Promise<string> {
  const socket = connect((server.app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

export const shape = {
  error: true,
  message: expect.any(String),
  msg: expect.any(String),
  code: expect.toBeOneOf([...problemCodes]),
};
