import type { Method } from './endpoint.ts';

/** Routes of the specification that this version does not serve yet; they answer 501 (design: statuses). */
export const planned: { method: Method; path: string }[] = [
  ...routes('GET', [
    '/approvals/processes',
    '/approvals/process/search/{search_phrase}',
    '/approvals/process/{approval_processid}',
    '/approvals/requests',
    '/approvals/request/{approval_requestid}',
  ]),
  ...routes('POST', [
    '/approvals/process',
    '/approvals/request/sign/{approval_requestid}',
    '/approvals/request/sign/{approval_requestid}/token',
  ]),
  ...routes('PATCH', ['/approvals/process/{approval_processid}']),
  ...routes('PUT', ['/approvals/{wikiid}/{approval_processid}']),
  ...routes('DELETE', ['/approvals/{wikiid}']),
];

function routes(method: Method, paths: string[]): { method: Method; path: string }[] {
  return paths.map((path) => ({ method, path }));
}
