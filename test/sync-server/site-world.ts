import { memoryLog } from '#test/support/memory-log.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

/** A server whose settings a test changes. */
export interface SiteWorld {
  server: TestServer;
  admin: TestPerson;
  ana: TestPerson;
  /** Wall clock of the server, ms. */
  clock: { now: number };
  /** The lines of its log. */
  logged: string[];
  /** A call without a session. */
  read: (path: string) => Promise<{ status: number; body: Record<string, unknown> }>;
}

/** Starts a server with an administrator and a person. */
export async function startSite(): Promise<SiteWorld> {
  const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
  const logged: string[] = [];
  const resolve = async (): Promise<string[]> => ['93.184.215.14'];
  const server = await startServer({ now: () => clock.now, log: memoryLog(logged), resolve });
  return {
    server,
    admin: await server.person('Mira', ['User', 'Admin']),
    ana: await server.person('Ana'),
    clock,
    logged,
    read: async (path) => {
      const response = await fetch(`${server.url}/api/2.0${path}`);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}
