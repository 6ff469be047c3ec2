import { once } from 'node:events';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** The parts of a server that a connection needs. */
interface Listening {
  app: { server: Pick<Server, 'address'> };
}

/** Target and origin of a connection. */
interface Way {
  /** Address of this machine (127.0.0.0/8) from which the connection comes. Default: 127.0.0.1. */
  from?: string;
  /** Default: the port of the app. */
  port?: number;
  /** Default: a name without a dot. */
  host?: string;
}

export const portOf = ({ app }: Listening): number => (app.server.address() as AddressInfo).port;

/** Opens a connection and begins a request: its head, and the part of its body in `body`. */
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

/** All data until the other end closes. */
export const answerOn = (socket: Socket): Promise<string> => text(socket);

/** The first received chunk. */
export async function firstAnswer(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return String(bytes);
}
