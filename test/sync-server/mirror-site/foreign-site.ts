import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer of a foreign site: a body for JSON, bytes, or a redirect. */
export type ForeignAnswer = { json: unknown } | { bytes: Buffer } | { location: string };

/** A server of somebody else, which answers by path. It notes the tokens that it gets. */
export interface ForeignSite extends AsyncDisposable {
  url: string;
  /** Answers by path, without query except for `display`. */
  answers: Map<string, ForeignAnswer>;
  /** The paths that were asked for, with the `Authorization` of the request. */
  asked: { path: string; token: string | undefined }[];
}

export async function startForeign(): Promise<ForeignSite> {
  const answers = new Map<string, ForeignAnswer>();
  const asked: ForeignSite['asked'] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://foreign.example');
    asked.push({ path: url.pathname, token: request.headers.authorization });
    const display = url.searchParams.get('display');
    const answer = answers.get(`${url.pathname}?display=${display}`) ?? answers.get(url.pathname);
    const isLaterPage = Number(url.searchParams.get('offset') ?? 0) > 0;
    if (answer === undefined) response.writeHead(404).end('{"error":true,"message":"Not found"}');
    else if ('location' in answer) response.writeHead(302, { Location: answer.location }).end();
    else if ('bytes' in answer) response.end(answer.bytes);
    else response.end(JSON.stringify(isLaterPage && Array.isArray(answer.json) ? [] : answer.json));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answers,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
