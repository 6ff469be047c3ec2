/**
 * Devices that hold event streams, in a separate process over plain sockets. Reads a line of JSON (`Streams`) from its
 * input, opens the streams, and answers each message `deliveries` with the delays since the last one.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** Which streams to open. */
export interface Streams {
  url: string;
  /** Path and headers of each request. */
  requests: { path: string; headers: Record<string, string> }[];
}

/** What arrived. */
export interface Deliveries {
  /** Delay of each event from the moment in its text, ms. */
  delays: number[];
  /** Streams that ended. */
  ended: number;
}

/** Requests opened at the same time. */
const together = 100;
/** The moment at which a change was asked for, UNIX milliseconds, in the title of the guide. */
const stamp = /Changed at (\d+\.\d+);/g;
/** Longer than a stamp, so that one that is cut is found with the next piece. */
const longest = 60;

let deliveries: Deliveries = { delays: [], ended: 0 };

function open(url: URL, { path, headers }: Streams['requests'][number]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    const lines = Object.entries({ Host: url.host, ...headers }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    let rest = '';
    let isOpen = false;
    socket.on('data', (bytes) => {
      const text = rest + bytes.toString('latin1');
      if (!isOpen) {
        if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(text.slice(0, 300)));
        isOpen = text.includes('event: head');
        if (isOpen) resolve();
      }
      let end = 0;
      for (const match of text.matchAll(stamp)) {
        deliveries.delays.push(performance.timeOrigin + performance.now() - Number(match[1]));
        end = match.index + match[0].length;
      }
      rest = text.slice(Math.max(end, text.length - longest));
    });
    socket.on('error', reject);
    socket.on('close', () => (deliveries.ended += 1));
  });
}

process.on('message', () => {
  process.send?.(deliveries);
  deliveries = { delays: [], ended: 0 };
});
for await (const line of createInterface({ input: process.stdin })) {
  const { url, requests } = JSON.parse(line) as Streams;
  for (let from = 0; from < requests.length; from += together)
    await Promise.all(requests.slice(from, from + together).map((one) => open(new URL(url), one)));
  process.stdout.write('open\n');
}
