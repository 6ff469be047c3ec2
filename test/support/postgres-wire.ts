import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The network between a server and PostgreSQL, which can fail. `url`: the address of the database through it. */
export interface PostgresWire extends AsyncDisposable {
  url: string;
  /** Breaks open connections and refuses further ones. */
  cut(): void;
  /** Accepts connections again. */
  mend(): void;
  /** What the database answers waits until the returned function is called. */
  hold(): () => void;
  /** The next commit of a write with this text happens, and its answer is lost with the connection. */
  loseCommit(text: string): void;
}

/** Starts a proxy to the database at `target`. */
export async function layPostgresWire(target: string): Promise<PostgresWire> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let losing: string | null = null;
  let held: Promise<void> | null = null;
  const server = createServer((node) => {
    const database = connect(Number(port), hostname);
    let isLost = false;
    let isMeant = false;
    for (const [one, other] of [
      [node, database],
      [database, node],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
    if (isCut) return void node.destroy();
    node.on('data', (chunk) => {
      const sent = losing === null ? '' : chunk.toString('latin1');
      if (losing !== null && sent.includes(losing)) isMeant = true;
      if (isMeant && sent.includes('commit\0')) {
        losing = null;
        isLost = true;
      }
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      if (isLost) return void node.destroy();
      if (held === null) return void node.write(chunk);
      void held.then(() => node.write(chunk));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: url.href,
    cut() {
      isCut = true;
      destroyAll();
    },
    mend: () => void (isCut = false),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = null;
        resolve();
      };
    },
    loseCommit: (text) => void (losing = text),
    async [Symbol.asyncDispose]() {
      destroyAll();
      server.close();
      await once(server, 'close');
    },
  };
}
