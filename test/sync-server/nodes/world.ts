import { must } from '#shared/must.ts';
import { makePostgresDatabase } from '#test/support/postgres-databases.ts';
import { clientOf, startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

/** Three servers in this process on one PostgreSQL database. */
export interface Nodes extends AsyncDisposable {
  all: TestServer[];
  /** The address of the database. */
  database: string;
  a: TestServer;
  b: TestServer;
  c: TestServer;
}

export async function threeNodes(): Promise<Nodes> {
  const database = await makePostgresDatabase();
  const all: TestServer[] = [];
  for (let number = 0; number < 3; number += 1) all.push(await startServer({ database: database.url }));
  const node = (number: number): TestServer => must(all[number], 'a node');
  return {
    all,
    database: database.url,
    a: node(0),
    b: node(1),
    c: node(2),
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map((one) => one[Symbol.asyncDispose]()));
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Calls of a person to a node. */
export function at(node: { url: string }, { token }: Pick<TestPerson, 'token'>): TestPerson['call'] {
  return clientOf(node.url, token);
}
