import { expect } from 'vitest';

import { must } from '#shared/must.ts';
import type { TestServer } from '#test/support/server.ts';

/** The page shown to a browser that brings a response of an identity provider. */
export async function pageOfResponse(
  { url }: TestServer,
  RelayState: string,
  SAMLResponse: string,
): Promise<string> {
  const response = await fetch(`${url}/api/2.0/sign_on/assertions`, {
    method: 'POST',
    body: new URLSearchParams({ RelayState, SAMLResponse }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  return response.text();
}

/** The address that a page leads to. */
export const goesTo = (page: string): string | undefined =>
  /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page)?.[1];

/** The code in that address. */
export function codeIn(page: string): string {
  return must(/(?:#sign-on|\?code)=([\w-]{43})$/.exec(goesTo(page) ?? '')?.[1], 'a code');
}
