import { webcrypto } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Integer, Null, ObjectIdentifier, OctetString, Sequence, Utf8String } from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  Extension,
  id_eContentType_TSTInfo,
  id_sha256,
  IssuerAndSerialNumber,
  MessageImprint,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';

const timeStamping = '1.3.6.1.5.5.7.3.8';
const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

interface Issued {
  certificate: Certificate;
  keys: CryptoKeyPair;
}

/** A certificate for a new key, signed by `issuer` or by itself. `purpose` is its extended key usage. */
async function issue(
  name: string,
  { issuer, purpose }: { issuer?: Issued; purpose?: string },
): Promise<Issued> {
  const keys = (await webcrypto.subtle.generateKey(rsa, true, ['sign', 'verify'])) as CryptoKeyPair;
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ value: issuer === undefined ? 1 : 2 });
  const type = '2.5.4.3';
  certificate.subject.typesAndValues.push(
    new AttributeTypeAndValue({ type, value: new Utf8String({ value: name }) }),
  );
  certificate.issuer.typesAndValues.push(
    ...(issuer?.certificate.subject ?? certificate.subject).typesAndValues,
  );
  certificate.notBefore.value = new Date('2020-01-01');
  certificate.notAfter.value = new Date('2049-01-01');
  const constraints = new BasicConstraints({ cA: issuer === undefined });
  certificate.extensions = [
    new Extension({ extnID: '2.5.29.19', critical: true, extnValue: constraints.toSchema().toBER() }),
  ];
  if (purpose !== undefined) {
    const usage = new Sequence({ value: [new ObjectIdentifier({ value: purpose })] });
    certificate.extensions.push(
      new Extension({ extnID: '2.5.29.37', critical: true, extnValue: usage.toBER() }),
    );
  }
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  await certificate.sign((issuer?.keys ?? keys).privateKey, 'SHA-256');
  return { certificate, keys };
}

function pemOf({ certificate }: Issued): string {
  const text = Buffer.from(certificate.toSchema().toBER()).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${text.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

type Signers = Record<'right' | 'another purpose' | 'a stranger', Issued>;

/** Faults of an authority. */
export interface TimestampFaults {
  hash?: boolean;
  nonce?: boolean;
  /** Signs with a certificate for another purpose, or of an untrusted signer. */
  signer?: 'another purpose' | 'a stranger';
  status?: number;
  /** Names no certificate, or another one, in the signed data. */
  named?: 'none' | 'another';
  /** Changes the token after signing. */
  tampered?: boolean;
}

/** A time-stamping authority (RFC 3161 over HTTP) on a free port of 127.0.0.1, with its own keys. */
export class TimestampAuthority implements AsyncDisposable {
  readonly url: string;
  /** The certificate (PEM) of its issuer, and its own. */
  readonly vouching: string;
  readonly own: string;
  /** Bodies of received requests. */
  readonly requests: Buffer[] = [];
  faults: TimestampFaults = {};
  now: () => number = Date.now;
  readonly #signers: Signers;
  readonly #server: Server;

  private constructor(root: Issued, signers: Signers, server: Server) {
    this.vouching = pemOf(root);
    this.own = pemOf(signers.right);
    this.#signers = signers;
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`;
  }

  static async start(): Promise<TimestampAuthority> {
    const root = await issue('Root', {});
    const stranger = await issue('Root', {});
    const signers = {
      right: await issue('Time', { issuer: root, purpose: timeStamping }),
      'another purpose': await issue('Mail', { issuer: root, purpose: '1.3.6.1.5.5.7.3.4' }),
      'a stranger': await issue('Time', { issuer: stranger, purpose: timeStamping }),
    };
    let authority: TimestampAuthority | undefined;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        void authority?.answer(Buffer.concat(chunks)).then(
          (body) => response.writeHead(200, { 'Content-Type': 'application/timestamp-reply' }).end(body),
          // The test that asked fails, instead of the one that runs when the rejection is noticed.
          (error: unknown) => response.writeHead(500).end(String(error)),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    authority = new TimestampAuthority(root, signers, server);
    return authority;
  }

  /** The response (DER) to a request (DER). */
  async answer(body: Buffer): Promise<Buffer> {
    this.requests.push(body);
    const { faults } = this;
    const status = new PKIStatusInfo({ status: faults.status ?? 0 });
    if (faults.status !== undefined) return Buffer.from(new TimeStampResp({ status }).toSchema().toBER());
    const request = TimeStampReq.fromBER(Uint8Array.from(body).buffer);
    const wanted = Buffer.from(request.messageImprint.hashedMessage.valueBlock.valueHexView);
    const stamped = faults.hash === true ? Buffer.alloc(32, 7) : wanted;
    const info = new TSTInfo({
      version: 1,
      policy: '1.2.3.4.1',
      messageImprint: new MessageImprint({
        hashAlgorithm: new AlgorithmIdentifier({ algorithmId: id_sha256, algorithmParams: new Null() }),
        hashedMessage: new OctetString({ valueHex: Uint8Array.from(stamped).buffer }),
      }),
      serialNumber: new Integer({ value: this.requests.length }),
      genTime: new Date(Math.floor(this.now() / 1000) * 1000),
      ...(request.nonce === undefined
        ? {}
        : { nonce: faults.nonce === true ? new Integer({ value: 4711 }) : request.nonce }),
    });
    const content = new ContentInfo({
      contentType: ContentInfo.SIGNED_DATA,
      content: (await this.#signed(info)).toSchema(true),
    });
    const answer = Buffer.from(new TimeStampResp({ status, timeStampToken: content }).toSchema().toBER());
    // The signature is the last part.
    if (faults.tampered === true) answer[answer.length - 9] = (answer[answer.length - 9] ?? 0) ^ 1;
    return answer;
  }

  async #signed(info: TSTInfo): Promise<SignedData> {
    const { certificate, keys } = this.#signers[this.faults.signer ?? 'right'];
    const bytes = info.toSchema().toBER();
    const digest = await webcrypto.subtle.digest('SHA-256', bytes);
    const attributes = [
      new Attribute({
        type: '1.2.840.113549.1.9.3',
        values: [new ObjectIdentifier({ value: id_eContentType_TSTInfo })],
      }),
      new Attribute({ type: '1.2.840.113549.1.9.4', values: [new OctetString({ valueHex: digest })] }),
    ];
    const named = this.faults.named === 'another' ? this.#signers['a stranger'].certificate : certificate;
    const hash = await webcrypto.subtle.digest('SHA-256', named.toSchema().toBER());
    const id = new Sequence({ value: [new OctetString({ valueHex: hash })] });
    if (this.faults.named !== 'none')
      attributes.push(
        new Attribute({
          type: '1.2.840.113549.1.9.16.2.47',
          values: [new Sequence({ value: [new Sequence({ value: [id] })] })],
        }),
      );
    const signed = new SignedData({
      version: 3,
      encapContentInfo: new EncapsulatedContentInfo({
        eContentType: id_eContentType_TSTInfo,
        eContent: new OctetString({ valueHex: bytes }),
      }),
      signerInfos: [
        new SignerInfo({
          version: 1,
          sid: new IssuerAndSerialNumber({
            issuer: certificate.issuer,
            serialNumber: certificate.serialNumber,
          }),
          signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
        }),
      ],
      certificates: [certificate],
    });
    await signed.sign(keys.privateKey, 0, 'SHA-256');
    return signed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
