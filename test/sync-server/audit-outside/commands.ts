import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { changeSite } from '#server/core/site.ts';
import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { authority, benchbook, logged, mira, receiver, server, stamping, syslog, tell } from './world.ts';

/** The commands that set where heads are reported. */
export function testCommands(): void {
  describe('AUDIT-16', () => {
    test('AUDIT-16 the command line sets the receivers, tries each immediately, and stores none that fails', async () => {
      await using folder = await temporaryFolder('targets');
      const file = (name: string, text: string): string => {
        writeFileSync(join(folder.path, name), text);
        return join(folder.path, name);
      };
      const root = file('root.pem', authority.vouching);
      const address = `tcp://127.0.0.1:${syslog.ports.tcp}`;
      const set = await benchbook('audit', 'syslog', address, '--private');
      expect(set).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringContaining('gets the end of the audit log'),
      });
      await soon(() => syslog.messages.length).toBe(1);
      const stamping = ['audit', 'timestamp', authority.url, '--certificate', root, '--private'];
      expect(await benchbook(...stamping)).toMatchObject({
        code: 0,
        out: expect.stringContaining('stamped row'),
      });
      const shown = await benchbook('audit', 'targets', '--json');
      expect(JSON.parse(shown.out)).toMatchObject([
        { target: 'syslog', address, told: { seq: expect.any(Number) } },
        { target: 'timestamp', address: authority.url, told: { seq: expect.any(Number) } },
      ]);
      authority.faults = { signer: 'a stranger' };
      for (const [args, words] of [
        [['syslog', 'tcp://127.0.0.1:1', '--private'], 'did not take the end of the audit log'],
        [['syslog', 'http://127.0.0.1'], 'Name the receiver by an address'],
        [['syslog', 'tcp://127.0.0.1:514/path', '--private'], 'Name the receiver by an address'],
        [['syslog', address, '--private', '--certificate', root], 'Certificates are for an address'],
        [
          ['timestamp', authority.url, '--private', '--certificate', root],
          'not signed by a given certificate',
        ],
        [['timestamp', authority.url, '--private'], 'Name the certificate'],
        [
          ['timestamp', authority.url, '--private', '--certificate', file('x', 'x')],
          'holds no X.509 certificate',
        ],
      ] as const) {
        const refused = await benchbook('audit', ...args);
        expect(refused, words).toMatchObject({ code: 1, out: '', err: expect.stringContaining(words) });
      }
      expect((await benchbook('audit', 'targets', '--json')).out).toBe(shown.out);
      expect(await benchbook('audit', 'syslog', 'off')).toMatchObject({ code: 0 });
      expect(await benchbook('audit', 'timestamp', 'off')).toMatchObject({ code: 0 });
      expect((await benchbook('audit', 'targets')).out.match(/ off /g)).toHaveLength(2);
      const rows = await benchbook('audit', 'list', '--action', 'benchbook audit syslog', '--json');
      expect(JSON.stringify(JSON.parse(rows.out))).toContain('audit_syslog');
    });

    test('AUDIT-16 a private address is called only if the command line allowed it with --private', async () => {
      await using folder = await temporaryFolder('private');
      const root = join(folder.path, 'root.pem');
      writeFileSync(root, authority.vouching);
      await changeSite(server.services, { private_networks: [] });
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '0x7f.1', '2130706433'])
        for (const args of [
          ['syslog', `tcp://${host}:${syslog.ports.tcp}`],
          ['syslog', `udp://${host}:${syslog.ports.udp}`],
          ['timestamp', `http://${host}:${new URL(authority.url).port}/`, '--certificate', root],
        ])
          expect(await benchbook('audit', ...args), args.join(' ')).toMatchObject({
            code: 1,
            err: expect.stringMatching(/private network|cannot be found|never called/),
          });
      // A public name that later resolves to a private network is not called either.
      await changeSite(server.services, {
        audit_syslog: receiver('tcp', { private: false }),
        audit_timestamp: stamping({ private: false }),
      });
      const before = authority.requests.length;
      await tell();
      expect(logged.filter((line) => line.includes('private network'))).toHaveLength(2);
      expect(syslog.messages).toEqual([]);
      expect(authority.requests).toHaveLength(before);
      await changeSite(server.services, { private_networks: ['127.0.0.1/32'] });
    });

    test('AUDIT-16 API callers, including administrators, can neither read nor change nor end the reporting', async () => {
      const audit_syslog = receiver('tcp');
      await changeSite(server.services, { audit_syslog });
      for (const name of ['audit_syslog', 'auditSyslog', 'audit_timestamp', 'auditTimestamp'])
        expect((await mira.call('PATCH', '/site', { [name]: null })).status).toBe(422);
      expect((await mira.call('PATCH', '/site', { title: 'Line 2' })).status).toBe(200);
      expect(server.services.site.audit_syslog).toEqual(audit_syslog);
      expect(JSON.stringify((await mira.call('GET', '/site')).body)).not.toMatch(/syslog/i);
    });
  });
}
