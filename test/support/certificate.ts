import { createSign, type KeyObject } from 'node:crypto';

/** A DER value: tag, length, content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), body]);
  const bytes = length < 256 ? [length] : [length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), body]);
}

const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content);

/** sha256WithRSAEncryption */
const algorithm = sequence(
  der(0x06, Buffer.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b])),
  der(0x05),
);

function nameOf(commonName: string): Buffer {
  const oid = der(0x06, Buffer.from([0x55, 0x04, 0x03]));
  return sequence(der(0x31, sequence(oid, der(0x0c, Buffer.from(commonName)))));
}

/** A self-signed certificate (X.509) of an RSA key, as PEM. `end`: the last moment of its validity, as ASN.1 writes it. */
export function selfSigned(
  keys: { publicKey: KeyObject; privateKey: KeyObject },
  commonName: string,
  end = '20991231235959Z',
): string {
  const time = (text: string): Buffer => der(0x18, Buffer.from(text));
  const signed = sequence(
    der(0x02, Buffer.from([1])),
    algorithm,
    nameOf(commonName),
    sequence(time('20200101000000Z'), time(end)),
    nameOf(commonName),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('sha256').update(signed).sign(keys.privateKey);
  const text = sequence(signed, algorithm, der(0x03, Buffer.from([0]), signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${text.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}
