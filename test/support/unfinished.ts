import { once } from 'node:events';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A server that listens, as far as a test needs it. */
interface Listening {
  app: { server: Pick<Server, 'address'> };
}

/** Where a request of a test goes, and whence it comes. */
interface Way {
  /** Address of this machine (127.0.0.0/8) that the connection comes from. Default: 127.0.0.1. */
  from?: string;
  /** Default: that of the app. */
  port?: number;
  /** Default: a name without a dot. */
  host?: string;
}

export const portOf = ({ app }: Listening): number => (app.server.address() as AddressInfo).port;

/** A connection on which a request was begun: its head, and as much of its body as `body` holds. */
export async function begin(
  target: Listening,
  head: readonly string[],
  body = '',
  { from = '127.0.0.1', port = portOf(target), host = 'a' }: Way = {},
): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write([...head, `Host: ${host}`, '', body].join('\r\n'));
  return socket;
}

/** What comes until the other end closes. */
export const answerOn = (socket: Socket): Promise<string> => text(socket);

/** The first piece that comes. */
export async function firstAnswer(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return String(bytes);
}
