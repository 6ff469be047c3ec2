import ipaddr from 'ipaddr.js';

/**
 * Where cloud platforms answer their own machines, often with credentials and without asking for any. Some lie in public
 * ranges, some in private networks that a site may have allowed for other reasons. Sources: the providers' documents.
 */
const metadataAddresses = new Set(
  [
    // Most platforms; its link-local form in IPv6 (OpenStack)
    '169.254.169.254',
    'fe80::a9fe:a9fe',
    // AWS: instances, containers, pods
    'fd00:ec2::254',
    '169.254.170.2',
    '169.254.170.23',
    'fd00:ec2::23',
    // Azure: the agent of the platform, in a public range
    '168.63.129.16',
    // Google
    'fd20:ce::254',
    // Alibaba
    '100.100.100.200',
    // Oracle
    '192.0.0.192',
    // Tencent
    '169.254.0.23',
    // Scaleway
    '169.254.42.42',
    'fd00:42::42',
  ].map(normal),
);

/** Their names, in case a name server of the platform leads them elsewhere. */
const metadataNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.azure.com',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
]);

/** Public by number, but answered inside a platform alone: services of IBM Cloud for its machines. */
export const platformNetworks: readonly string[] = ['161.26.0.0/16', '166.8.0.0/14'];

/** Whether a host name is that of a metadata service; a dot at its end changes nothing. */
export function isMetadataName(host: string): boolean {
  return metadataNames.has(host.toLowerCase().replace(/\.$/, ''));
}

/** Whether an IP address, or the IPv4 address inside of it (mapped, NAT64, 6to4, Teredo …), is that of a metadata service. */
export function isMetadataAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  return [normal(address), ...embedded(ip)].some((one) => metadataAddresses.has(one));
}

/** The IPv4 addresses that an IPv6 address may carry. */
function embedded(ip: ipaddr.IPv4 | ipaddr.IPv6): string[] {
  if (ip.kind() === 'ipv4') return [];
  const bytes = ip.toByteArray();
  const at = (offset: number, mask = 0): string =>
    bytes
      .slice(offset, offset + 4)
      .map((byte) => byte ^ mask)
      .join('.');
  // Last: mapped, compatible, NAT64, ISATAP; third and fourth byte: 6to4; Teredo writes the client's inverted.
  return [at(12), at(2), at(4), at(12, 0xff)];
}

/** An address by its bytes, whatever zone stands behind it. */
function normal(address: string): string {
  return ipaddr.process(address).toByteArray().join('.');
}
