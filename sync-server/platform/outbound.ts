import { lookup as systemLookup } from 'node:dns/promises';
import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

import { isMetadataAddress, isMetadataName, platformNetworks } from './cloud-addresses.ts';

/** Finds the addresses of a host name. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Why the server does not call an address that a person entered; the message is for administrators. */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
  /** The message for others, which does not reveal the names of the internal network. */
  readonly told: string;

  constructor(message: string, told = message) {
    super(message);
    this.told = told;
  }
}

/** Only administrators learn the reason for refusing a host. */
function refusedHost(host: string, why: string): RefusedAddress {
  return new RefusedAddress(
    `${host} ${why}`,
    `${host} is not a public address, or cannot be found. Ask an administrator: the server log says which`,
  );
}

/** Logs why addresses are not called. */
export interface RefusalLog {
  warn(facts: { reason: string }, text: string): void;
}

/** The message of a refusal for people who are not administrators; if it omits the reason, the log has it. */
export function toldOf(error: RefusedAddress, log: RefusalLog): string {
  if (error.told !== error.message) log.warn({ reason: error.message }, 'an address is not called');
  return error.told;
}

/** What an outbound call sends. */
export interface OutboundCall {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Private networks (CIDR) that this call may go to. Default: those that the site allows. */
  networks?: readonly string[];
  /** The whole call ends after this, ms. */
  timeoutMs: number;
  /** A longer answer is cut off and refused, bytes. */
  mostBytes: number;
  /** Redirects followed, each checked like the first address. Default 0: a redirect is the answer. */
  redirects?: number;
  /** Takes the body of a 2xx answer piece by piece; `body` is empty then. */
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
 * Calls addresses that people give the server (webhooks, providers, files by URL). A host is resolved once, its
 * addresses are checked, and the connection goes to the checked address, so that no second look-up can lead elsewhere.
 */
export class Outbound {
  readonly #networks: () => readonly string[];
  readonly #resolve: Resolve;

  /** `networks`: private networks (CIDR) that are allowed at this moment. */
  constructor(networks: () => readonly string[], resolve: Resolve = systemResolve) {
    this.#networks = networks;
    this.#resolve = resolve;
  }

  /**
   * Throws RefusedAddress unless `address` may be called; answers the IP address to connect to. `networks`: private
   * networks that are about to be allowed. Default: those that are.
   */
  async check(address: string, networks = this.#networks()): Promise<{ url: URL; ip: string }> {
    const url = URL.parse(address);
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      throw new RefusedAddress('The address must begin with http:// or https://');
    if (url.username !== '' || url.password !== '')
      throw new RefusedAddress('The address must not hold a user name or password');
    return { url, ip: await this.addressOf(url.hostname, networks) };
  }

  /** The IP address to connect to for a host of an address. Throws RefusedAddress unless it may be called. */
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

  /** Makes the call. Throws RefusedAddress, or the error of the network. */
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
    if (found.length === 0) throw refusedHost(host, 'cannot be found');
    return found;
  }
}

function refusedMetadata(host: string): RefusedAddress {
  return refusedHost(host, 'is a service of a cloud platform for its machines; it is never called');
}

/** All that is given out of IPv6; outside of it lie old ways of writing IPv4 addresses (`::127.0.0.1`). */
const globalUnicast = '2000::/3';

/**
 * Whether an IP address is public, or inside one of `networks`. The addresses at which cloud platforms tell a machine
 * its secrets are neither.
 */
export function isCallable(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address) || isMetadataAddress(address)) return false;
  const ip = ipaddr.process(address);
  return isPublic(ip) || networks.some((network) => isInside(ip, network));
}

function isPublic(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (ip.range() !== 'unicast' || platformNetworks.some((network) => isInside(ip, network))) return false;
  if (ip.kind() === 'ipv4') return true;
  return isInside(ip, globalUnicast) && !isTunnel(ip as ipaddr.IPv6);
}

/** An ISATAP address (RFC 5214): its last 32 bits are the IPv4 address that its router sends to. */
function isTunnel({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

function isInside(ip: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [range, bits] = ipaddr.parseCIDR(network);
  return ip.kind() === range.kind() && ip.match(range, bits);
}

/** Whether `text` names a network, such as `192.168.10.0/24`. */
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
    // A kept connection would be to an address that another call checked.
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

/** A body that is longer than it may be. */
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
