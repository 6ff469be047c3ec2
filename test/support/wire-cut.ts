import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** A cable between one device and the server: counts bytes, can be cut (sockets too) and mended, can lose an answer. */
export interface WireCut extends AsyncDisposable {
  url: string;
  /** Bytes the device received and sent since the last reset. */
  received: number;
  sent: number;
  resetCounters(): void;
  cut(): void;
  mend(): void;
  /**
   * The next request for `path` reaches the server and has its effect, but its streamed answer is lost: the
   * connection breaks when the answer is complete. Returns a promise that settles when that happened.
   */
  loseAnswerOf(path: string): Promise<void>;
}

/** How a chunked answer ends. */
const lastChunk = '0\r\n\r\n';

/** Lays a cable to the server at `target`. */
export async function layWire(target: string): Promise<WireCut> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let losing: { path: string; lost: () => void } | undefined;
  const wire = { received: 0, sent: 0 };

  const server: Server = createServer((device) => {
    if (isCut) return void device.destroy();
    const upstream = connect(Number(port), hostname);
    let loseThis = false;
    for (const socket of [device, upstream]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        device.destroy();
        upstream.destroy();
      });
      socket.on('error', () => undefined);
    }
    device.on('data', (chunk: Buffer) => {
      wire.sent += chunk.length;
      if (losing !== undefined && chunk.toString('latin1').includes(` ${losing.path}`)) loseThis = true;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (loseThis) {
        if (!chunk.toString('latin1').endsWith(lastChunk)) return;
        losing?.lost();
        losing = undefined;
        loseThis = false;
        return void device.destroy();
      }
      wire.received += chunk.length;
      device.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${own}`,
    get received() {
      return wire.received;
    },
    get sent() {
      return wire.sent;
    },
    resetCounters() {
      wire.received = 0;
      wire.sent = 0;
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    loseAnswerOf(path) {
      return new Promise<void>((resolve) => {
        losing = { path, lost: resolve };
      });
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
