import ipaddr from 'ipaddr.js';

/**
 * Addresses at which cloud platforms serve their own machines, often with credentials and without authentication. Some
 * are in public ranges, some in private networks that a site may have allowed for other reasons. Source: the
 * providers' documentation.
 *
 * - OUTBOUND-8 The services of cloud platforms for their machines (metadata, credentials, agents: Azure's
 *   168.63.129.16 among them) are never called, whatever `private_networks` allows. This includes IPv6 addresses that
 *   contain one of these IPv4 addresses.
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
    // Azure: the platform's agent, in a public range
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

/** Their host names, in case a name server of the platform resolves them to other addresses. */
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

/** Public ranges that are reachable only inside a platform: services of IBM Cloud for its machines. */
export const platformNetworks: readonly string[] = ['161.26.0.0/16', '166.8.0.0/14'];

/** Whether a host name belongs to a metadata service. A trailing dot is ignored. */
export function isMetadataName(host: string): boolean {
  return metadataNames.has(host.toLowerCase().replace(/\.$/, ''));
}

/**
 * Whether an IP address, or an IPv4 address inside it (mapped, NAT64, 6to4, Teredo …), belongs to a metadata service.
 */
export function isMetadataAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  return [normal(address), ...embedded(ip)].some((one) => metadataAddresses.has(one));
}

/** The IPv4 addresses that an IPv6 address may contain. */
function embedded(ip: ipaddr.IPv4 | ipaddr.IPv6): string[] {
  if (ip.kind() === 'ipv4') return [];
  const bytes = ip.toByteArray();
  const at = (offset: number, mask = 0): string =>
    bytes
      .slice(offset, offset + 4)
      .map((byte) => byte ^ mask)
      .join('.');
  // Bytes 12 to 15: mapped, compatible, NAT64, ISATAP; 2 to 5: 6to4; 4 to 7: the Teredo server; 12 to 15 inverted: the
  // Teredo client.
  return [at(12), at(2), at(4), at(12, 0xff)];
}

/** An address in a form that can be compared, without its zone. */
function normal(address: string): string {
  return ipaddr.process(address).toByteArray().join('.');
}
