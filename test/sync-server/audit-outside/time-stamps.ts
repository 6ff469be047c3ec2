import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readStamp, requestStamp, verifyStamp } from '#server/features/audit/timestamp.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { authority, clock, server, stamping } from './world.ts';

/** What counts as a time stamp. */
export function testTimeStamps(): void {
  describe('AUDIT-15', () => {
    const hash = 'ab'.repeat(32);
    const stamp = (certificates: string[]) =>
      requestStamp(server.services.outbound, stamping({ certificates }), hash, {
        nonce: new Uint8Array([255, 0, 0, 1, 2, 3, 4, 5]),
        timeoutMs: 10_000,
      });

    test('AUDIT-15 a time stamp counts if it covers the hash, answers the request and has a trusted signer', async () => {
      for (const certificate of [authority.vouching, authority.own])
        expect((await stamp([certificate])).date).toEqual(new Date(clock.now));
    });

    test.each([
      ['another hash', { hash: true }, 'stamped another hash'],
      ['another nonce', { nonce: true }, 'nonce differs'],
      ['a refusal', { status: 2 }, 'refused it (status 2)'],
      ['a changed signature', { tampered: true }, 'signature is wrong'],
      ['a certificate for e-mail', { signer: 'another purpose' }, 'not one for time stamps'],
      ['an untrusted certificate', { signer: 'a stranger' }, 'not signed by a given certificate'],
      ['no reference to its certificate', { named: 'none' }, 'does not name its certificate'],
      ['a reference to another certificate', { named: 'another' }, 'does not name its certificate'],
    ] as const)('AUDIT-15 a time stamp with %s does not count', async (_, faults, words) => {
      authority.faults = faults;
      await expect(stamp([authority.vouching])).rejects.toThrow(words);
    });

    test('AUDIT-15 any changed byte of a time stamp is detected, unless the byte carries no meaning', async () => {
      const { token } = await stamp([authority.vouching]);
      const before = readStamp(token);
      for (let index = 0; index < token.length; index += 13) {
        const changed = Buffer.from(token);
        changed[index] = (changed[index] ?? 0) ^ 0x55;
        try {
          const after = readStamp(changed);
          await verifyStamp(after, [authority.vouching]);
          expect([after.hash, after.date, after.nonce], `byte ${index}`).toEqual([
            before.hash,
            before.date,
            before.nonce,
          ]);
        } catch (error) {
          expect(error, `byte ${index}`).toMatchObject({ name: 'BadStamp' });
        }
      }
    });

    test('AUDIT-15 OpenSSL accepts the same time stamps as this server', async (context) => {
      const openssl = (...args: string[]): string =>
        execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
      try {
        openssl('ts', '-help');
      } catch {
        context.skip('OpenSSL is not installed here');
      }
      await using folder = await temporaryFolder('stamps');
      const [file, root] = [join(folder.path, 'head.tsr'), join(folder.path, 'root.pem')];
      writeFileSync(file, (await stamp([authority.vouching])).token);
      writeFileSync(root, authority.vouching);
      const checked = openssl('ts', '-verify', '-digest', hash, '-in', file, '-CAfile', root);
      expect(checked).toContain('Verification: OK');
    });

    test('AUDIT-15 a time stamp made by OpenSSL is read and checked', async () => {
      const fixtures = new URL('../../fixtures/time-stamps/', import.meta.url);
      const token = readFileSync(new URL('openssl.tsr', fixtures));
      const vouching = readFileSync(new URL('root.pem', fixtures), 'utf8');
      const read = readStamp(token);
      expect(read.hash).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
      await verifyStamp(read, [vouching]);
      await expect(verifyStamp(read, [authority.vouching])).rejects.toThrow(
        'not signed by a given certificate',
      );
    });
  });
}
