import { sign } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { makeSigningKey, readSigningKey, signManifest } from '#desktop/build/update-signing.ts';
import { type UpdateRefused } from '#desktop/main/updates/failure.ts';
import { publisherKeys, type VersionFacts, verifiedUpdate } from '#desktop/main/updates/verify.ts';
import { updateSignatureDomain } from '#shared/model/desktop-update.ts';
import { must } from '#shared/must.ts';

import { day, manifestFor, newPublisher, signed, today } from './signed.ts';

const publisher = newPublisher();
const other = newPublisher();
const facts: VersionFacts = { installed: '0.1.0', highest: '0.1.0', broken: [], now: today };
const manifest = manifestFor(new Uint8Array([1]));
const text = JSON.stringify(manifest);
const [artefact] = manifest.artefacts;

/** `update.json` with these signatures, made by hand. */
function file(signedText: unknown, signatures: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ manifest: signedText, signatures }));
}

function signature(over: string, from = publisher): { key: string; signature: string } {
  return {
    key: from.publicKey.id,
    signature: sign(null, Buffer.from(over), from.privateKey).toString('base64'),
  };
}

const genuine = signature(updateSignatureDomain + text);

function verify(bytes: Uint8Array, change: Partial<VersionFacts> = {}): string {
  try {
    const { isNewer } = verifiedUpdate(bytes, [publisher.publicKey], { ...facts, ...change });
    return isNewer ? 'install' : 'nothing newer';
  } catch (error) {
    return (error as UpdateRefused).kind;
  }
}

const ours = (changed: unknown): Uint8Array => signed(changed, [publisher.privateKey]);

describe('verification of updates', () => {
  it('UPDATE-1 accepts an update that a pinned key has signed', () => {
    expect(verify(ours(manifest))).toBe('install');
    // While a key is replaced, each of the two may have signed it, and the app may know one or both.
    const both = signed(manifest, [other.privateKey, publisher.privateKey]);
    expect(verify(both)).toBe('install');
    expect(verifiedUpdate(both, [other.publicKey], facts).isNewer).toBe(true);
  });

  it.each<[string, Uint8Array, string]>([
    ['has no signature', file(text, []), 'malformed'],
    ['lacks the list of signatures', file(text, undefined), 'malformed'],
    ['is only the manifest', new TextEncoder().encode(text), 'malformed'],
    ['is signed by another key', signed(manifest, [other.privateKey]), 'signature'],
    [
      'claims our key for the signature of another',
      file(text, [{ ...signature(updateSignatureDomain + text, other), key: publisher.publicKey.id }]),
      'signature',
    ],
    ['has a changed character', file(text.replace('0.2.0', '0.9.0'), [genuine]), 'signature'],
    ['has an added space', file(`${text} `, [genuine]), 'signature'],
    ['is signed without the domain', file(text, [signature(text)]), 'signature'],
    ['is signed for another purpose', file(text, [signature(`benchbook release 1\n${text}`)]), 'signature'],
    [
      'has the signature of another manifest',
      file(text, [signature(updateSignatureDomain + JSON.stringify({ ...manifest, version: '0.3.0' }))]),
      'signature',
    ],
    [
      'has a signature of zeros',
      file(text, [{ ...genuine, signature: Buffer.alloc(64).toString('base64') }]),
      'signature',
    ],
    ['has a short signature', file(text, [{ ...genuine, signature: 'AAAA' }]), 'malformed'],
    ['was cut off', ours(manifest).slice(0, 400), 'malformed'],
    ['is empty', new Uint8Array(), 'malformed'],
    ['is too long', new Uint8Array(300 * 1024).fill(0x20), 'malformed'],
    ['has an object where the text belongs', file(manifest, [genuine]), 'malformed'],
    ['is for another app', ours({ ...manifest, app: 'org.example.other' }), 'other-app'],
    ['has expired', ours({ ...manifest, expiresAt: new Date(today).toISOString() }), 'expired'],
    ['has no date of expiry', ours({ ...manifest, expiresAt: undefined }), 'malformed'],
    ['is older than the installed version', ours({ ...manifest, version: '0.0.9' }), 'withdrawn'],
    ['is the installed version', ours({ ...manifest, version: '0.1.0' }), 'nothing newer'],
    ['has an odd version', ours({ ...manifest, version: '0.2.0-evil' }), 'malformed'],
    ['has a version with a zero in front', ours({ ...manifest, version: '00.2.0' }), 'malformed'],
    ['needs a version between', ours({ ...manifest, minimumVersion: '0.1.1' }), 'too-far'],
    ['is of another format', ours({ ...manifest, format: 2 }), 'malformed'],
    ['names a path', ours({ ...manifest, artefacts: [{ ...artefact, file: '../x.tar.gz' }] }), 'malformed'],
    ['names a folder', ours({ ...manifest, artefacts: [{ ...artefact, file: 'a/x.deb' }] }), 'malformed'],
    ['names itself', ours({ ...manifest, artefacts: [{ ...artefact, file: 'update.json' }] }), 'malformed'],
    [
      'has two packages for one computer',
      ours({ ...manifest, artefacts: [artefact, { ...artefact, file: 'b' }] }),
      'malformed',
    ],
    [
      'has a package without a hash',
      ours({ ...manifest, artefacts: [{ ...artefact, sha256: '' }] }),
      'malformed',
    ],
    ['has a package of 3 GB', ours({ ...manifest, artefacts: [{ ...artefact, size: 3e9 }] }), 'malformed'],
  ])('UPDATE-2 refuses an update that %s', (_, bytes, outcome) => {
    expect(verify(bytes)).toBe(outcome);
  });

  it('UPDATE-3 refuses what is older than a version that was offered before, and a version that did not start', () => {
    expect(verify(ours(manifest), { highest: '0.2.0' })).toBe('install');
    expect(verify(ours(manifest), { highest: '0.2.1' })).toBe('withdrawn');
    expect(verify(ours({ ...manifest, version: '0.10.0' }), { highest: '0.9.0' })).toBe('install');
    expect(verify(ours(manifest), { broken: ['0.2.0'] })).toBe('broken');
    expect(verify(ours(manifest), { now: today + 90 * day })).toBe('expired');
  });

  it('UPDATE-4 without a valid list of keys there are none, and nothing is verified', () => {
    expect(publisherKeys(JSON.stringify([publisher.base64, other.base64]))).toHaveLength(2);
    for (const odd of ['', '[]', 'null', '{}', '["AAAA"]', '[1]', '["'.padEnd(50, 'x')])
      expect(publisherKeys(odd)).toEqual([]);
    expect(() => verifiedUpdate(ours(manifest), [], facts)).toThrow('No key of the publisher');
  });

  it('UPDATE-5 a signing key is encrypted by its passphrase, and only Ed25519 keys sign', () => {
    const pem = makeSigningKey('correct horse');
    expect(pem).toContain('ENCRYPTED');
    expect(() => readSigningKey(pem)).toThrow('set BENCHBOOK_UPDATE_PASSPHRASE');
    expect(() => readSigningKey(pem, 'wrong')).toThrow('The passphrase of the key is wrong');
    expect(() => readSigningKey('no key')).toThrow('This is not a private key');
    const key = readSigningKey(pem, 'correct horse');
    expect(must(JSON.parse(signManifest(text, [key])), 'a file')).toMatchObject({ manifest: text });
  });
});
