import ipaddr from 'ipaddr.js';

/** The owner of work in a `FairQueue`: a person with all their devices, or an address block for anonymous callers. */
export function callerOf({ viewer, address }: { viewer: { userid: number }; address: string }): string {
  return viewer.userid === 0 ? `address ${addressBlock(address)}` : callerNumbered(viewer.userid);
}

/** The owner name of a person who is not the caller, such as the person whose archive is imported. */
export function callerNumbered(userid: number): string {
  return `user ${userid}`;
}

/**
 * The block of addresses that counts as one caller: an IPv4 address, or a /64 of IPv6, because providers assign a /64
 * to each connection. A text that is not an IP address is returned unchanged.
 */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  if (ip.kind() === 'ipv4') return ip.toString();
  const bytes = ip.toByteArray().fill(0, 8);
  return `${ipaddr.fromByteArray(bytes).toString()}/64`;
}
