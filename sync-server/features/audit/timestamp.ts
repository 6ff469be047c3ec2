import { createHash, X509Certificate } from 'node:crypto';

import { Integer, Null, OctetString, Sequence } from 'asn1js';
import {
  AlgorithmIdentifier,
  Certificate,
  ContentInfo,
  id_ContentType_SignedData,
  id_eContentType_TSTInfo,
  id_sha256,
  MessageImprint,
  SignedData,
  type SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';

import type { Outbound } from '#server/platform/outbound.ts';
import type { AuditTimestamp } from '#server/core/site-settings.ts';

import { everywhere } from './targets.ts';

/** Extended key usage of time-stamping certificates. */
const timeStamping = '1.3.6.1.5.5.7.3.8';
/** The signed attribute with the content type. */
const contentType = '1.2.840.113549.1.9.3';
/** Signed attributes that name the signer's certificate by its hash (RFC 2634, RFC 5035). */
const signingCertificate = new Set(['1.2.840.113549.1.9.16.2.12', '1.2.840.113549.1.9.16.2.47']);
/** Hashes by their length, bytes. */
const hashNames = new Map([
  [20, 'sha1'],
  [32, 'sha256'],
  [48, 'sha384'],
  [64, 'sha512'],
]);
/** PKIStatus: granted, and granted with modifications. */
const granted = new Set([0, 1]);
/** Largest answer of an authority (a signature and some certificates), bytes. */
const mostBytes = 64 * 1024;

/** An invalid time stamp; the message says why. */
export class BadStamp extends Error {
  override name = 'BadStamp';
}

/** The content of a time stamp, unverified before `verifyStamp`. */
export interface Stamp {
  /** The stamped hash, SHA-256 in hex. */
  hash: string;
  /** When the authority stamped it. */
  date: Date;
  nonce: string | null;
  signed: SignedData;
}

/**
 * Requests a time stamp for a hash (RFC 3161 over HTTP). Resolves with the unchanged answer (DER) after checking its
 * hash, nonce and signature. Throws BadStamp, RefusedAddress, or a network error.
 */
export async function requestStamp(
  outbound: Outbound,
  authority: AuditTimestamp,
  hash: string,
  { nonce, timeoutMs, signal }: { nonce: Uint8Array; timeoutMs: number; signal?: AbortSignal },
): Promise<{ token: Buffer; date: Date }> {
  // DER requires a positive integer without a leading zero byte.
  const positive = Uint8Array.from(nonce, (byte, index) => (index === 0 ? (byte & 0x3f) | 0x40 : byte));
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: id_sha256, algorithmParams: new Null() }),
      hashedMessage: new OctetString({ valueHex: arrayBuffer(Buffer.from(hash, 'hex')) }),
    }),
    nonce: new Integer({ valueHex: arrayBuffer(positive) }),
    certReq: true,
  });
  const { status, body } = await outbound.call(authority.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/timestamp-query', Accept: 'application/timestamp-reply' },
    body: new Uint8Array(request.toSchema().toBER()),
    timeoutMs,
    mostBytes,
    ...(signal === undefined ? {} : { signal }),
    ...(authority.private ? { networks: everywhere } : {}),
  });
  if (status !== 200) throw new BadStamp(`The authority answered ${status}`);
  const stamp = readStamp(body);
  if (stamp.hash !== hash) throw new BadStamp('The authority stamped another hash');
  if (stamp.nonce !== Buffer.from(positive).toString('hex'))
    throw new BadStamp('The authority answered another request (its nonce differs)');
  await verifyStamp(stamp, authority.certificates);
  return { token: body, date: stamp.date };
}

/** Reads a time stamp: the answer of an authority, or its token alone (DER). Throws BadStamp. */
export function readStamp(der: Uint8Array): Stamp {
  const signed = signedDataOf(der);
  const { eContentType, eContent } = signed.encapContentInfo;
  if (eContentType !== id_eContentType_TSTInfo || eContent === undefined)
    throw new BadStamp('It is no time stamp');
  const info = reading(() => TSTInfo.fromBER(eContent.getValue()));
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  if (hashAlgorithm.algorithmId !== id_sha256) throw new BadStamp('It stamps a hash other than SHA-256');
  return {
    hash: Buffer.from(hashedMessage.valueBlock.valueHexView).toString('hex'),
    date: info.genTime,
    nonce: info.nonce === undefined ? null : Buffer.from(info.nonce.valueBlock.valueHexView).toString('hex'),
    signed,
  };
}

/**
 * Checks that a time stamp is signed by one of `certificates` (PEM), or by a certificate that one of them vouched for
 * at the time of the stamp, and that it is a time-stamping certificate. Throws BadStamp.
 *
 * - AUDIT-15 A time stamp counts if it is about the hash, answers our request (nonce), and is signed by a given
 *   time-stamping certificate or one that a given certificate vouches for: those of `--certificate`, or by default
 *   those in the site's settings. If a stamp is invalid, redacted or truncated, the row number and hash next to it are
 *   still compared; only an invalid stamp fails the check. OpenSSL can verify the same stamps.
 */
export async function verifyStamp({ signed, date }: Stamp, certificates: readonly string[]): Promise<void> {
  const [signer, ...more] = signed.signerInfos;
  if (signer === undefined || more.length > 0) throw new BadStamp('It does not have exactly one signer');
  const signedType = signer.signedAttrs?.attributes.find(({ type }) => type === contentType);
  if (signedType?.values[0]?.valueBlock.toString() !== id_eContentType_TSTInfo)
    throw new BadStamp('Its signature is not about a time stamp');
  const given = certificates.map((pem) => new X509Certificate(pem));
  const trusted = given.map((one) => Certificate.fromBER(one.raw));
  const sent = signed.certificates;
  // An authority may leave out its own certificate.
  signed.certificates = [...(sent ?? []), ...trusted];
  // Stops the library from hashing the message, which the authority never saw. The caller compares the hash.
  signed.encapContentInfo.eContentType = '';
  try {
    const first = await signed.verify({ signer: 0, checkDate: date, extendedMode: true });
    if (first.signatureVerified !== true || !first.signerCertificate)
      throw new BadStamp('Its signature is wrong');
    const own = new X509Certificate(Buffer.from(first.signerCertificate.toSchema().toBER()));
    if (own.keyUsage?.includes(timeStamping) !== true)
      throw new BadStamp('The certificate of its signer is not one for time stamps');
    if (!namesCertificate(signer, own)) throw new BadStamp('Its signature does not name its certificate');
    if (date < new Date(own.validFrom) || date > new Date(own.validTo))
      throw new BadStamp('The certificate of its signer was not valid at that time');
    if (!given.some((one) => one.raw.equals(own.raw)))
      await signed.verify({ signer: 0, trustedCerts: trusted, checkDate: date, checkChain: true });
  } catch (cause) {
    if (cause instanceof BadStamp) throw cause;
    throw new BadStamp(
      `It is not signed by a given certificate (${cause instanceof Error ? cause.message : ''})`,
      {
        cause,
      },
    );
  } finally {
    signed.encapContentInfo.eContentType = id_eContentType_TSTInfo;
    if (sent !== undefined) signed.certificates = sent;
  }
}

function signedDataOf(der: Uint8Array): SignedData {
  const answer = attempt(() => TimeStampResp.fromBER(arrayBuffer(der)));
  if (answer !== undefined && !granted.has(answer.status.status))
    throw new BadStamp(`The authority refused it (status ${answer.status.status})`);
  const content = answer?.timeStampToken ?? attempt(() => ContentInfo.fromBER(arrayBuffer(der)));
  if (content?.contentType !== id_ContentType_SignedData) throw new BadStamp('It is no time stamp');
  return reading(() => new SignedData({ schema: content.content as unknown }));
}

/** Whether the signed attributes name this certificate, so that it cannot be replaced by another with the same key. */
function namesCertificate(signer: SignerInfo, certificate: X509Certificate): boolean {
  const attribute = signer.signedAttrs?.attributes.find(({ type }) => signingCertificate.has(type));
  const first = partOf(partOf(attribute?.values[0]));
  const parts = first instanceof Sequence ? first.valueBlock.value : [];
  const hash = parts.find((part) => part instanceof OctetString);
  if (hash === undefined) return false;
  const bytes = Buffer.from(hash.valueBlock.valueHexView);
  const name = hashNames.get(bytes.length);
  return name !== undefined && createHash(name).update(certificate.raw).digest().equals(bytes);
}

/** The first value inside a sequence. */
function partOf(value: unknown): unknown {
  return value instanceof Sequence ? value.valueBlock.value[0] : undefined;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new BadStamp('It cannot be read', { cause });
  }
}

function arrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
