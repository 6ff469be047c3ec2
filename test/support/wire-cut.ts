import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A network connection between one device and the server: counts bytes, can be cut (open sockets too) and restored,
 * and can fail at the worst moment.
 */
export interface WireCut extends AsyncDisposable {
  url: string;
  /** Bytes the device received and sent since the last reset. */
  received: number;
  sent: number;
  resetCounters(): void;
  cut(): void;
  /** From now on connections are accepted and never answered. */
  hang(): void;
  mend(): void;
  /** Requests whose path starts with `path` wait until the returned function is called. */
  hold(path: string): () => void;
  /**
   * The next request for `path` takes effect, but its streamed response is lost: the connection breaks when the
   * server has answered. With `deliveries` 2 the server receives it twice. Settles afterwards.
   */
  loseAnswerOf(path: string, deliveries?: 1 | 2): Promise<void>;
}

/** A chunked answer ends with an empty chunk. */
function isLast(chunk: Buffer): boolean {
  return chunk.toString('latin1').endsWith('0\r\n\r\n');
}

/** Starts a local proxy to the server at `target`, which stands for the network. */
export async function layWire(target: string): Promise<WireCut> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isHanging = false;
  let losing: { path: string; deliveries: 1 | 2; request: Buffer[]; lost: () => void } | undefined;
  let held: { path: string; isOver: Promise<void> } | undefined;
  const wire = { received: 0, sent: 0 };

  const server: Server = createServer((device) => {
    if (isCut) return void device.destroy();
    if (isHanging) {
      sockets.add(device);
      return void device.on('error', () => undefined).resume();
    }
    let upstream: Socket | undefined;
    let lossHere: typeof losing;
    const watch = (socket: Socket): void => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        // A server closes connections on which no request arrives; a held request is no longer on this connection.
        if (socket !== device && socket !== upstream) return;
        device.destroy();
        upstream?.destroy();
      });
    };
    const connectOn = (): Socket => {
      const socket = connect(Number(port), hostname);
      watch(socket);
      socket.on('data', pass);
      return socket;
    };
    device.on('data', (chunk: Buffer) => {
      wire.sent += chunk.length;
      const text = losing === undefined && held === undefined ? '' : chunk.toString('latin1');
      if (held !== undefined && text.includes(` ${held.path}`)) {
        upstream = undefined;
        return void held.isOver.then(() => (upstream = connectOn()).write(chunk));
      }
      // From another origin, a browser first asks with OPTIONS whether it may send the request.
      const isMeant = !text.startsWith('OPTIONS ');
      if (
        losing !== undefined &&
        isMeant &&
        [' ', '?'].some((end) => text.includes(` ${losing?.path}${end}`))
      ) {
        lossHere = losing;
        losing = undefined;
      }
      lossHere?.request.push(chunk);
      upstream?.write(chunk);
    });
    const pass = (chunk: Buffer): void => {
      if (lossHere === undefined) {
        wire.received += chunk.length;
        return void device.write(chunk);
      }
      if (!isLast(chunk)) return;
      const { request, deliveries, lost } = lossHere;
      const delivered = deliveries === 2 ? deliverAgain(Buffer.concat(request)) : Promise.resolve();
      void delivered.then(() => {
        device.destroy();
        lost();
      });
    };
    watch(device);
    upstream = connectOn();
  });

  /** Sends the bytes of a request on a separate connection and waits for the end of the response. */
  function deliverAgain(request: Buffer): Promise<void> {
    return new Promise((resolve) => {
      const again = connect(Number(port), hostname);
      sockets.add(again);
      again.on('error', () => undefined);
      again.on('close', () => {
        sockets.delete(again);
        resolve();
      });
      again.on('data', (chunk: Buffer) => isLast(chunk) && again.destroy());
      again.write(request);
    });
  }
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
    hang() {
      isHanging = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
      isHanging = false;
    },
    hold(path) {
      const { promise: isOver, resolve } = Promise.withResolvers<void>();
      held = { path, isOver };
      return () => {
        held = undefined;
        resolve();
      };
    },
    loseAnswerOf(path, deliveries = 1) {
      return new Promise<void>((resolve) => {
        losing = { path, deliveries, request: [], lost: resolve };
      });
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
