import ipaddr from 'ipaddr.js';

/**
 * Whoever is behind an address, as far as it can be told: an IPv4 address is one caller, and so is a whole /64 of IPv6,
 * which is what one connection is given. What is no address stands for itself.
 */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  if (ip.kind() === 'ipv4') return ip.toString();
  const bytes = ip.toByteArray().fill(0, 8);
  return `${ipaddr.fromByteArray(bytes).toString()}/64`;
}
