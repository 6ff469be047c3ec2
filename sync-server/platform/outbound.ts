import { lookup as systemLookup } from 'node:dns/promises';
import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

import { isMetadataAddress, isMetadataName } from '#shared/rules/cloud-addresses.ts';
import { isInside, isPublicAddress } from '#shared/rules/public-address.ts';

/** Resolves a host name to its IP addresses. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** The server does not call an address that a person entered. The message is for administrators. */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
  /** The message for other people, which does not reveal names of the internal network. */
  readonly publicMessage: string;

  constructor(message: string, publicMessage = message) {
    super(message);
    this.publicMessage = publicMessage;
  }
}

/** No name server knows the host. */
export class HostNotFound extends RefusedAddress {}

/**
 * The refusal of a host.
 *
 * - OUTBOUND-10 People who are not administrators also enter addresses of files. They get the same message for a host
 *   in a private network, a host that no public name server knows, and a host that a platform reserves, so that they
 *   cannot learn which names exist in the internal network. The log says which case it was.
 */
function refusedHost(host: string, why: string, Refusal = RefusedAddress): RefusedAddress {
  return new Refusal(
    `${host} ${why}`,
    `${host} is not a public address, or cannot be found. Ask an administrator: the server log says which`,
  );
}

/** The part of the log that refusals are written to. */
export interface RefusalLog {
  warn(facts: { reason: string }, text: string): void;
}

/** The message of a refusal for people who are not administrators. If it omits the reason, the reason is logged. */
export function publicMessageOf(error: RefusedAddress, log: RefusalLog): string {
  if (error.publicMessage !== error.message) log.warn({ reason: error.message }, 'an address is not called');
  return error.publicMessage;
}

/** An outbound call. */
export interface OutboundCall {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Private networks (CIDR) that this call may reach. Default: those that the site allows. */
  networks?: readonly string[];
  /** Time limit of the whole call, ms. */
  timeoutMs: number;
  /** Maximum size of the response, bytes. A longer one is an error. */
  mostBytes: number;
  /** Maximum number of redirects to follow. Default 0: a redirect is returned as the response. */
  redirects?: number;
  /** Receives the body of a 2xx response in pieces; `body` is empty then. */
  sink?: (piece: Buffer) => Promise<void>;
  /** Ends the call early. */
  signal?: AbortSignal;
}

export interface OutboundAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/**
 * Calls addresses that people enter: webhooks, identity and translation providers, files by URL.
 *
 * - OUTBOUND-1 Only public addresses are called.
 * - OUTBOUND-2 An administrator can allow individual private networks (`private_networks`).
 * - OUTBOUND-3 A host is refused if one of its addresses is private. So are schemes other than http and https, and
 *   addresses with a user name or password.
 * - OUTBOUND-4 The connection goes to the checked address, without a second look-up.
 * - OUTBOUND-5 Redirects are followed only if the caller requests it, at most three, and each is checked like the
 *   first address.
 * - OUTBOUND-6 A call ends after its time limit, and when the response is longer than expected.
 * - OUTBOUND-7 No notation of a private address leads to a connection.
 */
export class Outbound {
  readonly #networks: () => readonly string[];
  readonly #resolve: Resolve;

  /** `networks`: the private networks (CIDR) that are currently allowed. */
  constructor(networks: () => readonly string[], resolve: Resolve = systemResolve) {
    this.#networks = networks;
    this.#resolve = resolve;
  }

  /**
   * Checks `address` and returns the IP address to connect to. `networks`: allowed private networks. Default: the
   * current ones.
   * @throws RefusedAddress
   */
  async check(address: string, networks = this.#networks()): Promise<{ url: URL; ip: string }> {
    const url = URL.parse(address);
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      throw new RefusedAddress('The address must begin with http:// or https://');
    if (url.username !== '' || url.password !== '')
      throw new RefusedAddress('The address must not hold a user name or password');
    return { url, ip: await this.addressOf(url.hostname, networks) };
  }

  /** The IP address to connect to for a host name. @throws RefusedAddress */
  async addressOf(hostname: string, networks = this.#networks()): Promise<string> {
    const host = hostname.replace(/^\[|\]$/g, '');
    if (isMetadataName(host)) throw refusedMetadata(host);
    const found = isIP(host) === 0 ? await this.#lookUp(host) : [host];
    if (found.some(isMetadataAddress)) throw refusedMetadata(host);
    const refused = found.find((ip) => !isCallable(ip, networks));
    if (refused !== undefined)
      throw refusedHost(
        hostname,
        'is in a private network that the site does not allow (setting private_networks)',
      );
    return found[0] ?? '';
  }

  /** Makes the call. @throws RefusedAddress, or the error of the network */
  async call(address: string, call: OutboundCall): Promise<OutboundAnswer> {
    const timeout = AbortSignal.timeout(call.timeoutMs);
    const signal = call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]);
    let target = address;
    for (let left = call.redirects ?? 0; ; left -= 1) {
      const { url, ip } = await this.check(target, call.networks);
      const answer = await send(url, ip, call, signal);
      const { location } = answer.headers;
      const isRedirect = answer.status >= 300 && answer.status < 400 && typeof location === 'string';
      if (!isRedirect || left <= 0) return answer;
      target = new URL(location, url).href;
    }
  }

  async #lookUp(host: string): Promise<string[]> {
    const found = await this.#resolve(host).catch(() => []);
    if (found.length === 0) throw refusedHost(host, 'cannot be found', HostNotFound);
    return found;
  }
}

function refusedMetadata(host: string): RefusedAddress {
  return refusedHost(host, 'is a service of a cloud platform for its machines; it is never called');
}

/** Whether an IP address is public or in one of `networks`, and is not a metadata service of a cloud platform. */
export function isCallable(address: string, networks: readonly string[]): boolean {
  if (isPublicAddress(address)) return true;
  if (!ipaddr.isValid(address) || isMetadataAddress(address)) return false;
  return networks.some((network) => isInside(ipaddr.process(address), network));
}

/** Whether a text is a network in CIDR notation, such as `192.168.10.0/24`. */
export function isNetwork(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}

async function systemResolve(hostname: string): Promise<string[]> {
  const found = await systemLookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

function send(url: URL, ip: string, call: OutboundCall, signal: AbortSignal): Promise<OutboundAnswer> {
  const options: RequestOptions & { servername?: string } = {
    method: call.method ?? 'GET',
    headers: {
      ...call.headers,
      ...(call.body === undefined ? {} : { 'Content-Length': Buffer.byteLength(call.body) }),
    },
    // A reused connection could lead to an address that was checked for another call.
    agent: false,
    signal,
    lookup: (_host, { all }, done) => {
      const family = isIP(ip);
      if (all === true) done(null, [{ address: ip, family }]);
      else done(null, ip, family);
    },
  };
  const start = url.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = start(url, options, (response) => {
      readAll(response, call).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    request.on('error', reject);
    request.end(call.body);
  });
}

/** A response is longer than `mostBytes`. */
export class TooLong extends Error {
  override name = 'TooLong';
}

async function readAll(response: IncomingMessage, { mostBytes, sink }: OutboundCall): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const status = response.statusCode ?? 0;
  const pass = status >= 200 && status < 300 ? sink : undefined;
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) {
      response.destroy();
      throw new TooLong(`The answer is longer than ${mostBytes} bytes`);
    }
    if (pass === undefined) chunks.push(chunk);
    else await pass(chunk);
  }
  return Buffer.concat(chunks);
}
