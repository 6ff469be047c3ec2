import ipaddr from 'ipaddr.js';

import { isMetadataAddress, platformNetworks } from './cloud-addresses.ts';

/** The range of public IPv6 addresses. Deprecated notations of IPv4 addresses (`::127.0.0.1`) are outside it. */
const globalUnicast = '2000::/3';

/**
 * Whether an IP address is public: not loopback, private, link-local, shared (CGNAT), unique local, multicast, reserved,
 * a notation of IPv4 in IPv6, or a service of a cloud platform for its machines. False for any other text.
 *
 * - OUTBOUND-9 Networks with public numbers that are reachable only inside a platform, and ISATAP addresses, count as
 *   private.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || isMetadataAddress(address)) return false;
  const ip = ipaddr.process(address);
  const isOfPlatform = platformNetworks.some((network) => isInside(ip, network));
  if (ip.range() !== 'unicast' || isOfPlatform) return false;
  return !(ip instanceof ipaddr.IPv6) || (isInside(ip, globalUnicast) && !isTunnel(ip));
}

/**
 * Whether an address is an ISATAP address (RFC 5214): its last 32 bits are the IPv4 address that its router sends to.
 */
function isTunnel({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

/** Whether an address is in a network (CIDR). */
export function isInside(ip: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [range, bits] = ipaddr.parseCIDR(network);
  return ip.kind() === range.kind() && ip.match(range, bits);
}
