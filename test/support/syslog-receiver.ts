import { createSocket } from 'node:dgram';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

import { selfSigned } from './certificate.ts';

/** A syslog receiver on free ports of 127.0.0.1, for messages of RFC 5424 framed by octet counting. */
export interface SyslogReceiver extends AsyncDisposable {
  ports: { udp: number; tcp: number; tls: number };
  /** The TLS certificate (PEM), for the name `localhost`. */
  certificate: string;
  /** Received messages with their transport. */
  messages: { over: 'udp' | 'tcp' | 'tls'; text: string }[];
}

export async function startSyslogReceiver(): Promise<SyslogReceiver> {
  const messages: SyslogReceiver['messages'] = [];
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const certificate = selfSigned(keys, 'localhost');
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const takeFrom =
    (over: 'tcp' | 'tls') =>
    (socket: Socket): void => {
      const chunks: Buffer[] = [];
      // A client that rejects the certificate sends no message.
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('end', () => {
        for (const text of framesOf(Buffer.concat(chunks))) messages.push({ over, text });
      });
    };
  const udp = createSocket('udp4', (bytes) => void messages.push({ over: 'udp', text: bytes.toString() }));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const tcp = await listening(createServer(takeFrom('tcp')));
  const tls = await listening(createTlsServer({ cert: certificate, key }, takeFrom('tls')));
  tls.on('tlsClientError', () => undefined);
  return {
    ports: { udp: udp.address().port, tcp: portOf(tcp), tls: portOf(tls) },
    certificate,
    messages,
    async [Symbol.asyncDispose]() {
      udp.close();
      for (const server of [tcp, tls]) await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function listening(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Splits frames such as `12 twelve bytes..`. */
function framesOf(bytes: Buffer): string[] {
  const space = bytes.indexOf(' ');
  if (space < 0) return [];
  const length = Number(bytes.subarray(0, space).toString());
  const end = space + 1 + length;
  return [bytes.subarray(space + 1, end).toString(), ...framesOf(bytes.subarray(end))];
}
