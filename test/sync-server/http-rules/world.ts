import { request } from 'node:http';

import { startServer, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld, type BenchGrinderWorld } from '#test/support/world.ts';

export let server: TestServer;
export let world: BenchGrinderWorld;

export async function startWorld(): Promise<void> {
  server = await startServer();
  world = await benchGrinderWorld(server);
}
export async function endWorld(): Promise<void> {
  await server[Symbol.asyncDispose]();
}

export const api = (path: string): string => `${server.url}/api/2.0${path}`;
export const newGuide = { category: 'Bench Grinder', type: 'repair', title: 'Belt' } as const;

/** A request with exactly these headers: no content type unless given. */
export function rawRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      api(path),
      { method, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
