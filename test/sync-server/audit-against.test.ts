import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { AuditHead } from '#shared/model/audit.ts';
import { must } from '#shared/must.ts';
import { verifyAudit } from '#server/features/audit/verify.ts';
import { anchorFiles } from '#server/features/audit/anchors.ts';
import { headText } from '#server/features/audit/heads.ts';
import { runs } from '#test/support/long-run.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { copyDataFolder, openRaw } from '#test/support/raw-database.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { TimestampAuthority } from '#test/support/time-stamping.ts';

import { benchbook, chained, seal, store, storeRows } from './forged-log.ts';
import {
  attacks,
  data,
  endReportedLog,
  folder,
  forged,
  kept,
  keptHead,
  lastTold,
  report,
  rows,
  startReportedLog,
  told,
} from './reported-log.ts';

beforeAll(startReportedLog);
afterAll(endReportedLog);

test('AUDIT-14 CLI-15 an untouched log matches the heads in every kind of file', async () => {
  for (const file of [kept.log, kept.syslog, kept.webhooks, kept.stamps, kept.export]) {
    const args = ['--against', file, '--certificate', kept.certificate];
    const found = await benchbook(data, 'verify', ...args);
    expect(found, file).toMatchObject({ code: 0, err: '' });
    expect(found.out).toContain('and the heads from outside.');
    const { against } = await report(data, ...args);
    expect(against, file).toMatchObject({ newest: { seq: lastTold().seq }, others: 0 });
    expect(against?.fit).toBe(against?.heads);
    expect(found.out).toContain(`The rows ${lastTold().seq + 1} to ${rows.length} came later`);
  }
  const all = await report(data, '--against', kept.log, kept.syslog, kept.webhooks, kept.stamps);
  // Log and webhooks contain each time stamp too, and a separate time stamp file counts once more.
  expect(all.against).toMatchObject({ stamps: 2 * 3 + 1 });
});

test.each(Object.keys(attacks))(
  'AUDIT-14 CLI-15 %s, with every key at hand, is detected by any exported file and by no file of the data folder',
  async (name) => {
    const copy = await forged(`forged ${name}`, must(attacks[name], 'the attack'));
    // The data folder itself is consistent: this is why heads are reported elsewhere.
    expect(await benchbook(copy, 'verify')).toMatchObject({ code: 0 });
    for (const file of [kept.log, kept.syslog, kept.webhooks, kept.stamps, kept.export]) {
      const found = await benchbook(copy, 'verify', '--against', file, '--certificate', kept.certificate);
      expect(found, file).toMatchObject({ code: 1, err: '' });
      expect(found.out, file).toContain('The log is not as it was written.');
      expect(found.out, file).toContain(file);
    }
  },
);

test('AUDIT-14 the report names the contradicted head, the first affected row, and what to do', async () => {
  const [first, second] = [must(told.at(-3), 'a head'), must(told.at(-2), 'a head')];
  const changed = second.seq - 1;
  const copy = await forged('told rewrite', (list) =>
    list.map((row) => (row.seq === changed ? { ...row, name: 'Nobody' } : row)),
  );
  const rewritten = await benchbook(copy, 'verify', '--against', kept.syslog);
  expect(rewritten.out).toContain(
    `row ${second.seq} had the hash ${second.hash} when it was told ${second.time}, but not now.`,
  );
  expect(rewritten.out).toContain(`One of the rows ${first.seq + 1} to ${second.seq}`);
  expect(rewritten.out).toContain(`The newest that fits is row ${first.seq}`);
  expect(rewritten.out).toContain('Keep the data folder and the files as they are.');
  const cut = await forged('told cut', (list) => list.slice(0, first.seq + 2));
  const shortened = await benchbook(cut, 'verify', '--against', kept.log);
  expect(shortened.out).toContain(`the log ends with row ${first.seq + 2}`);
  expect(shortened.out).toContain(`The rows ${first.seq + 3} to ${second.seq} at least were cut off`);
});

test.each(['cutting the newest rows', 'writing rows anew'])(
  'AUDIT-7 %s, plus cutting the newest notes, needs no key and is detected only with exported heads',
  async (how) => {
    const copy = join(folder.path, how);
    await copyDataFolder(data, copy);
    const keep = must(told.at(-2), 'a head').seq - 2;
    const anew = chained(rows.map((row) => (row.seq > keep ? { ...row, name: 'Nobody' } : row)));
    await store(copy, how === 'writing rows anew' ? anew : rows.slice(0, keep));
    const path = join(copy, anchorFiles.anchors);
    const lines = readFileSync(path, 'utf8').split('\n');
    const fitting = lines.filter((line) => line !== '' && (JSON.parse(line) as { seq: number }).seq <= keep);
    writeFileSync(path, fitting.map((line) => `${line}\n`).join(''));
    const plain = await benchbook(copy, 'verify');
    expect(plain).toMatchObject({
      code: 0,
      out: expect.stringContaining('Only heads from outside can show'),
    });
    expect(await benchbook(copy, 'verify', '--against', kept.log)).toMatchObject({ code: 1 });
  },
);

test('AUDIT-14 a rewritten log is detected up to the newest head, wherever it was changed', async () => {
  await using forger = await temporaryFolder('forger');
  await copyDataFolder(data, forger.path);
  await using raw = await openRaw(forger.path);
  const heads = told.map(keptHead);
  const newest = lastTold().seq;
  const kind = fc.constantFrom('change', 'leave out', 'put in', 'cut');
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 4, max: rows.length }), kind, async (seq, how) => {
      const rest = rows.slice(seq);
      const row = must(rows[seq - 1], 'the row');
      const instead = {
        change: [{ ...row, name: 'Nobody' }, ...rest],
        'leave out': rest,
        'put in': [row, row, ...rest],
        cut: [],
      };
      const list = chained([...rows.slice(0, seq - 1), ...instead[how]]);
      const anchors = await seal(forger.path, list);
      await raw.rolledBack(async () => {
        await raw.past(() => storeRows(raw, list));
        const alone = await verifyAudit(raw.db, anchors);
        expect(alone.findings).toEqual([]);
        const { findings, against } = await verifyAudit(raw.db, anchors, {
          kept: { heads, unreadable: [], unstamped: [] },
          options: { certificates: [] },
        });
        // A duplicated row differs from the next row on.
        const isTold = how === 'put in' ? seq < newest : seq <= newest;
        expect(findings.length > 0, `${how} row ${seq}`).toBe(isTold);
        const sound = told.filter((head) => (how === 'put in' ? head.seq <= seq : head.seq < seq));
        expect(against?.newest?.seq ?? 0).toBe(sound.at(-1)?.seq ?? 0);
      });
    }),
    { numRuns: runs(100) },
  );
});

test('AUDIT-14 rows after the newest head can be forged, and the report says which these are', async () => {
  const copy = await forged('after the head', (list) =>
    list.map((row) => (row.seq > lastTold().seq ? { ...row, name: 'Nobody' } : row)),
  );
  const found = await benchbook(copy, 'verify', '--against', kept.log);
  expect(found).toMatchObject({ code: 0 });
  expect(found.out).toContain(
    `The rows ${lastTold().seq + 1} to ${rows.length} came later: none of the given heads covers them.`,
  );
});

test('AUDIT-14 --server tells the heads of several servers apart, and heads are not skipped without it', async () => {
  const other: AuditHead = { ...lastTold(), server: 'another', hash: 'ab'.repeat(32) };
  const mixed = join(folder.path, 'mixed.log');
  writeFileSync(mixed, `${readFileSync(kept.syslog, 'utf8')}\n${headText(other)}\n`);
  expect(await benchbook(data, 'verify', '--against', mixed)).toMatchObject({
    code: 1,
    out: expect.stringContaining('Or another server told it'),
  });
  expect(await benchbook(data, 'verify', '--against', mixed, '--server', lastTold().server)).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 heads of other servers were left out.'),
  });
  expect(await benchbook(data, 'verify', '--against', mixed, '--server', 'nobody')).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no head of an audit log of the server nobody'),
  });
});

test('AUDIT-14 files without a head, or with an unreadable one, never pass', async () => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  };
  expect(await benchbook(data, 'verify', '--against', file('empty', 'nothing\nhere\n'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no head of an audit log; nothing was compared'),
  });
  expect(await benchbook(data, 'verify', '--against', join(folder.path, 'none'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be read'),
  });
  expect(await benchbook(data, 'verify', '--against')).toMatchObject({ code: 2 });
  const line = headText(lastTold());
  for (const [name, text] of [
    ['torn.syslog', line.slice(0, 60)],
    ['torn.json', JSON.stringify({ audit: lastTold(), msg: 'end of the audit log' }).slice(0, 90)],
    ['torn.hook', '{"event":"audit.head","data":{"seq":3'],
  ] as const) {
    const found = await benchbook(data, 'verify', '--against', kept.log, file(name, `${text}\n`));
    expect(found, name).toMatchObject({ code: 1, out: expect.stringContaining('cannot be read') });
    // A torn file must not be reported as a changed log.
    expect(found.out, name).toContain('Nothing contradicts the log, but');
    expect(found.out, name).not.toContain('not as it was written');
  }
});

const ansi = '\u001b[0m';
/** Transformations of a line by log collectors. */
const collectors: Record<string, (line: string) => string> = {
  'journald and syslog': (line) => `Nov 23 21:00:00 shop benchbook[12]: ${line}`,
  'syslog with structured data': (line) =>
    `<14>1 2026-05-04T08:00:00Z shop benchbook 12 - [origin@1 unit="{web}"] ${line}`,
  'a container engine': (line) => JSON.stringify({ log: `${line}\n`, stream: 'stdout' }),
  'a container platform': (line) => `2026-05-04T08:00:00Z stdout F ${line}`,
  'a collector of collectors': (line) => JSON.stringify({ event: JSON.stringify({ MESSAGE: line }) }),
  'a terminal': (line) => `web | ${line}${ansi}`,
  'a collector that cuts lines': (line) => line.slice(0, 700),
  'a container engine that cuts lines': (line) => JSON.stringify({ log: line.slice(0, 400) }),
};

test.each(Object.keys(collectors))(
  'AUDIT-14 heads of the server log are found in the output of %s',
  async (name) => {
    const collect = must(collectors[name], 'the collector');
    const collected = (path: string): string => {
      const lines = readFileSync(path, 'utf8').trim().split('\n');
      const file = join(folder.path, `${name} of ${path === kept.log ? 'log' : 'hooks'}`);
      writeFileSync(file, lines.map((line) => `${collect(line)}\n`).join(''));
      return file;
    };
    const copy = await forged(`collected by ${name}`, (list) => list.slice(0, lastTold().seq - 1));
    for (const path of [kept.log, kept.webhooks]) {
      const { against: plain } = await report(data, '--against', path);
      const file = collected(path);
      const found = await report(data, '--against', file);
      expect(found.findings).toEqual([]);
      expect(found.against).toMatchObject({ heads: plain?.heads, fit: plain?.fit });
      // A time stamp is either complete or reported as incomplete.
      const { stamps = 0, unstamped = [] } = found.against ?? {};
      expect(stamps + unstamped.length).toBe(plain?.stamps);
      expect(unstamped.length > 0).toBe(name.includes('cuts'));
      expect(await benchbook(copy, 'verify', '--against', file)).toMatchObject({ code: 1 });
    }
  },
);

test('AUDIT-15 a time stamp missing from the log is reported as hidden, and its head is compared', async () => {
  const file = join(folder.path, 'hidden.log');
  writeFileSync(file, readFileSync(kept.log, 'utf8').replaceAll(/"token":"[^"]+"/g, '"token":"[hidden]"'));
  const args = ['verify', '--against', file, '--certificate', kept.certificate];
  const found = await benchbook(data, ...args);
  expect(found).toMatchObject({ code: 0, err: '' });
  expect(found.out.match(/the time stamp was redacted or truncated/g)).toHaveLength(3);
  const copy = await forged('hidden stamps', (list) => list.slice(0, lastTold().seq - 1));
  expect(await benchbook(copy, ...args)).toMatchObject({
    code: 1,
    out: expect.stringContaining('The log is not as it was written.'),
  });
});

test('AUDIT-15 a time stamp without a trusted certificate does not pass, and does not make the log a forged one', async () => {
  await using stranger = await TimestampAuthority.start();
  const certificate = join(folder.path, 'stranger.pem');
  writeFileSync(certificate, stranger.vouching);
  for (const file of [kept.log, kept.webhooks, kept.stamps]) {
    const found = await benchbook(data, 'verify', '--against', file, '--certificate', certificate);
    expect(found, file).toMatchObject({ code: 1, err: '' });
    expect(found.out).toContain('the time stamp does not hold');
    expect(found.out).toContain('Nothing contradicts the log, but');
    expect(found.out).not.toContain('not as it was written');
  }
  // The rows and hashes beside such time stamps still count.
  const copy = await forged('stamped by a stranger', (list) => list.slice(0, lastTold().seq - 1));
  const found = await benchbook(copy, 'verify', '--against', kept.log, '--certificate', certificate);
  expect(found.out).toContain('The log is not as it was written.');
});

test('AUDIT-14 output of the server and of verify itself also counts as heads', async () => {
  const { seq, hash } = lastTold();
  const printed = join(folder.path, 'printed');
  writeFileSync(printed, `Last entry in the audit log: ${seq}, hash ${hash}. Keep a copy of this line\n`);
  const answer = join(folder.path, 'answer.json');
  writeFileSync(answer, (await benchbook(data, 'verify', '--json')).out);
  const found = await report(data, '--against', printed, answer);
  expect(found.against).toMatchObject({ heads: 2, fit: 2, newest: { seq: rows.length } });
  const copy = await forged('printed before', (list) => list.slice(0, seq - 1));
  for (const path of [printed, answer])
    expect(await benchbook(copy, 'verify', '--against', path)).toMatchObject({ code: 1 });
});

test('AUDIT-15 time stamps in files are checked with external certificates, whatever the database says', async () => {
  // An attacker put their own certificate into the settings, and another log with a new time stamp beside it.
  await using stranger = await TimestampAuthority.start();
  const copy = await forged('another authority', (list) => list.slice(0, 12));
  await using raw = await openRaw(copy);
  const ofSite = raw.db.selectFrom('meta').select('value').where('name', '=', 'site');
  const { value } = await ofSite.executeTakeFirstOrThrow();
  const site = JSON.parse(value) as { audit_timestamp: { certificates: string[] } | null };
  const setStamps = (audit_timestamp: object | null): Promise<unknown> =>
    raw.past(() =>
      raw.db
        .updateTable('meta')
        .set({ value: JSON.stringify({ ...site, audit_timestamp }) })
        .where('name', '=', 'site')
        .execute(),
    );
  await setStamps({ ...site.audit_timestamp, certificates: [stranger.vouching] });
  const byTheirs = await benchbook(copy, 'verify', '--against', kept.stamps);
  expect(byTheirs).toMatchObject({ code: 1, out: expect.stringContaining('the time stamp does not hold') });
  const byOurs = await benchbook(copy, 'verify', '--against', kept.stamps, '--certificate', kept.certificate);
  expect(byOurs).toMatchObject({ code: 1, out: expect.stringContaining('no row has the hash') });
  await setStamps(null);
  expect(await benchbook(copy, 'verify', '--against', kept.stamps)).toMatchObject({
    code: 1,
    err: expect.stringContaining('give the certificate of their signer with --certificate'),
  });
});

test('AUDIT-14 AUDIT-8 a restored backup contradicts the heads of its lost rows, and matches heads reported afterwards', async () => {
  const copy = join(folder.path, 'restored');
  await copyDataFolder(data, copy);
  await store(copy, rows.slice(0, must(told.at(-2), 'a head').seq));
  const lines: string[] = [];
  const server = await startServer({ dataDir: copy, log: memoryLog(lines) });
  const ana = await server.person('Ana');
  for (let time = 0; time < 20; time += 1)
    await ana.call('PATCH', `/users/${ana.userid}`, { location: `${time}` });
  await server[Symbol.asyncDispose]();
  await benchbook(copy, 'acknowledge', 'The disk failed');
  const later = join(folder.path, 'later.log');
  writeFileSync(later, lines.join(''));
  expect(await benchbook(copy, 'verify', '--against', later)).toMatchObject({ code: 0 });
  const both = await benchbook(copy, 'verify', '--against', kept.syslog, later);
  expect(both).toMatchObject({ code: 1, out: expect.stringContaining('It is of another history') });
  expect(both.out).toContain('The log tells of a restored backup, or of rows that were missing, in row');
});
