import { lookup as systemLookup } from 'node:dns/promises';
import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP } from 'node:net';

import { isPublicAddress } from '#shared/rules/public-address.ts';

/** Resolves a host name to its IP addresses. */
export type Resolve = (host: string) => Promise<string[]>;

/** Resolves with the system, which also knows the names of the local network. */
export async function systemResolve(host: string): Promise<string[]> {
  const found = await systemLookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

/** A host has addresses that are not public, and that the person has not allowed. */
export class PrivateHost extends Error {
  override name = 'PrivateHost';
  readonly host: string;
  readonly addresses: string[];

  constructor(host: string, addresses: string[]) {
    super(`${host} is in a private network`);
    this.host = host;
    this.addresses = addresses;
  }
}

export interface RemoteRequest {
  headers: Record<string, string>;
  resolve: Resolve;
  /** Whether the person allowed this address of the host, which is not public. */
  isAllowed: (host: string, address: string) => boolean;
  /** Longest wait for the beginning of an answer, ms. */
  waitMs?: number;
  /** Gives the request up, also while it waits for the name server or the connection. */
  signal: AbortSignal;
}

const mostRedirects = 10;
const redirects = new Set([301, 302, 303, 307, 308]);
const longestWait = 30_000;

/**
 * Sends a GET request and follows redirects. Every host is resolved and checked before anything is sent to it, and the
 * connection goes to the addresses that were checked.
 *
 * Chromium's `net.request` cannot do the latter: it resolves the name again, and a name server that then answers with
 * another address (DNS rebinding) leads it into the private network. Node's client connects to the addresses that
 * `lookup` gives, and still verifies the certificate against the name. The price: it knows neither the proxy nor the
 * certificate authorities of the system.
 *
 * @throws PrivateHost, or the error of the network
 */
export async function requestRemote(address: string, request: RemoteRequest): Promise<IncomingMessage> {
  let target = address;
  for (let left = mostRedirects; ; left -= 1) {
    const url = webAddress(target);
    const answer = await send(url, await checkedAddresses(url, request), request);
    const { location } = answer.headers;
    if (!redirects.has(answer.statusCode ?? 0) || location === undefined) return answer;
    answer.destroy();
    if (left === 0) throw new Error('Too many redirects');
    target = new URL(location, url).href;
  }
}

function webAddress(text: string): URL {
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('Not a web address');
  if (url.username !== '' || url.password !== '') throw new Error('The address holds a password');
  return url;
}

/** The addresses of a host. @throws PrivateHost if one of them is neither public nor allowed */
async function checkedAddresses(url: URL, { resolve, isAllowed, signal }: RemoteRequest): Promise<string[]> {
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await unlessAborted(resolve(host), signal) : [host];
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  const refused = addresses.filter((one) => !isPublicAddress(one) && !isAllowed(host, one));
  if (refused.length > 0) throw new PrivateHost(host, refused);
  return addresses;
}

function send(
  url: URL,
  addresses: string[],
  { headers, waitMs = longestWait, signal }: RemoteRequest,
): Promise<IncomingMessage> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const options: RequestOptions = {
    headers: { 'User-Agent': 'Benchbook', 'Accept-Encoding': 'identity', ...headers },
    // A reused connection could lead to an address that was checked for another request.
    agent: false,
    signal,
    lookup: (_host, { all }, done) => {
      const [first] = found;
      if (all === true) done(null, found);
      else done(null, first?.address ?? '', first?.family);
    },
  };
  const start = url.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = start(url, options, (response) => {
      request.setTimeout(0);
      resolve(response);
    });
    request.setTimeout(waitMs, () => request.destroy(new Error('No answer in time')));
    request.on('error', reject);
    request.end();
  });
}

/** @throws the reason of the signal, as soon as it aborts */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
