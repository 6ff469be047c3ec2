import { createSocket } from 'node:dgram';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';

import type { Outbound } from '#server/platform/outbound.ts';
import type { AuditSyslog } from '#server/core/site-settings.ts';

import { everywhere } from './targets.ts';

/** Facility "log audit" (13), severity "notice" (5). */
const priority = 13 * 8 + 5;

/** A message in RFC 5424 format. `at`: UNIX ms; `text`: one line of ASCII. */
export function syslogMessage(text: string, at: number): string {
  const host = hostname().replaceAll(/[^\x21-\x7e]/g, '') || '-';
  return `<${priority}>1 ${new Date(at).toISOString()} ${host} benchbook ${process.pid} audit-head - ${text}`;
}

/**
 * Sends one message. Resolves when the operating system has accepted all of it: syslog has no acknowledgements, and
 * losses over UDP are not noticed. Throws RefusedAddress or a network error.
 */
export async function sendSyslog(
  outbound: Outbound,
  receiver: AuditSyslog,
  message: string,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<void> {
  const ip = await outbound.addressOf(receiver.host, receiver.private ? everywhere : undefined);
  const bytes = Buffer.from(message);
  const timeout = AbortSignal.timeout(timeoutMs);
  const patience = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  if (receiver.transport === 'udp') await sendDatagram(ip, receiver.port, bytes);
  // Octet counting (RFC 6587, RFC 5425).
  else await sendStream(ip, receiver, Buffer.concat([Buffer.from(`${bytes.length} `), bytes]), patience);
}

async function sendDatagram(ip: string, port: number, bytes: Buffer): Promise<void> {
  const socket = createSocket(isIP(ip) === 6 ? 'udp6' : 'udp4');
  try {
    await new Promise<void>((resolve, reject) =>
      socket.send(bytes, port, ip, (error) => (error === null ? resolve() : reject(error))),
    );
  } finally {
    socket.close();
  }
}

function sendStream(ip: string, receiver: AuditSyslog, bytes: Buffer, patience: AbortSignal): Promise<void> {
  const isTls = receiver.transport === 'tls';
  const socket = isTls ? tlsSocket(ip, receiver) : connectPlain(receiver.port, ip);
  const sent = new Promise<void>((resolve, reject) => {
    let handedOver = false;
    socket.on('error', reject);
    socket.on('close', () => (handedOver ? resolve() : reject(new Error('The receiver hung up'))));
    // Some receivers never close their half of the connection.
    patience.addEventListener('abort', () =>
      handedOver ? resolve() : reject(new Error('The receiver did not answer in time')),
    );
    // Read what the receiver sends: closing a connection with unread bytes would also drop the sent ones.
    socket.resume();
    socket.once(isTls ? 'secureConnect' : 'connect', () => socket.end(bytes, () => (handedOver = true)));
  });
  return sent.finally(() => socket.destroy());
}

function tlsSocket(ip: string, { host, port, certificates }: AuditSyslog): Socket {
  return connectTls({
    host: ip,
    port,
    // The name in the certificate; an IP address is compared as such.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(certificates.length === 0 ? {} : { ca: certificates }),
  });
}
