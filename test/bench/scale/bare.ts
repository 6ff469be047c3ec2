/** The floor: streams of plain Node, to which a loop writes texts that it is told. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { answerUsage } from './usage.ts';

/** A text for the streams `from` to `until`, numbered in the order in which their tokens are. */
export interface BareWrite {
  text: string;
  from: number;
  until: number;
}

const streams: ServerResponse[] = [];
const server = createServer((request, response) => {
  const number = Number(new URL(request.url ?? '/', 'http://here').searchParams.get('number'));
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.write('event: head\ndata: {}\n\n');
  streams[number] = response;
});
answerUsage(monitorEventLoopDelay({ resolution: 1 }));
process.on('message', (message: 'usage' | BareWrite) => {
  if (message === 'usage') return;
  const bytes = Buffer.from(message.text);
  for (const stream of streams.slice(message.from, message.until)) stream.write(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
