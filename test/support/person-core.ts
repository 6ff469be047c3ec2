import { EMPTY } from 'rxjs';

import type { Core } from '#desktop/engine/account/core.ts';

import type { TestPerson, TestServer } from './server.ts';

/** The part of an engine that online-only actions need, signed in as a person; `rounds` records requests for a sync. */
export function coreOf(
  { url }: Pick<TestServer, 'url'>,
  { token }: Pick<TestPerson, 'token'>,
): { sources: { core: Pick<Core, 'request' | 'sync'> }; rounds: () => number } {
  let rounds = 0;
  const request = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', `api ${token}`);
    return fetch(url + path, { ...init, headers });
  };
  const sync = {
    state: EMPTY,
    leads: EMPTY,
    complete: EMPTY,
    now: () => void (rounds += 1),
    check: () => Promise.reject(new Error('not here')),
  };
  return { sources: { core: { request, sync } }, rounds: () => rounds };
}
