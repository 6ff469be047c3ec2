import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { Kysely, SqliteDialect } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { AuditHead, StampedAuditHead } from '#shared/model/audit.ts';
import { must } from '#shared/must.ts';
import { type AuditReport, verifyAudit } from '#server/features/audit/verify.ts';
import { Anchors, anchorFiles } from '#server/features/audit/anchors.ts';
import { headText, type KeptHead } from '#server/features/audit/heads.ts';
import { hashOf, noHash, type AuditRow } from '#server/storage/audit/row.ts';
import { runCli } from '#server/cli/program.ts';
import { databaseName } from '#server/services.ts';
import { changeSite } from '#server/core/site.ts';
import type { Tables } from '#server/storage/tables.ts';
import { runs } from '#test/support/long-run.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer } from '#test/support/server.ts';
import { startSyslogReceiver } from '#test/support/syslog-receiver.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { TimestampAuthority } from '#test/support/time-stamping.ts';

const hour = 3600_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The data folder after the server stopped. */
let data: string;
let authority: TimestampAuthority;
let rows: AuditRow[];
/** Reported heads, oldest first. */
let told: AuditHead[];
/** Files stored elsewhere, each with every head. */
let kept: Record<'log' | 'syslog' | 'webhooks' | 'stamps' | 'export' | 'certificate', string>;

/** A server reports three heads through every channel, and then adds some rows without reporting them. */
beforeAll(async () => {
  folder = await temporaryFolder('audit-against');
  data = join(folder.path, 'data');
  authority = await TimestampAuthority.start();
  const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
  authority.now = () => clock.now;
  const logged: string[] = [];
  await using receiver = await startSyslogReceiver();
  const server = await startServer({ dataDir: data, now: () => clock.now, log: memoryLog(logged) });
  await changeSite(server.services, {
    audit_syslog: {
      transport: 'tcp',
      host: '127.0.0.1',
      port: receiver.ports.tcp,
      certificates: [],
      private: true,
    },
    audit_timestamp: { url: authority.url, certificates: [authority.vouching], private: true },
  });
  const mira = await server.person('Mira', ['User', 'Admin']);
  // No webhook listens: its messages are read from the outbox.
  await mira.call('POST', '/webhooks', {
    url: 'https://93.184.215.14/',
    events: ['audit.head', 'audit.stamped'],
  });
  const work = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1)
      await mira.call('PATCH', `/users/${mira.userid}`, { location: `Bay ${clock.now} ${time}` });
  };
  for (let head = 0; head < 3; head += 1) {
    await work(8);
    clock.now += hour;
    await server.heads.look();
  }
  const messages = [...receiver.messages];
  const bodies = await server.services.storage.reader
    .selectFrom('webhook_events')
    .select('body')
    .where('event', 'in', ['audit.head', 'audit.stamped'])
    .execute();
  // The last head, at the stop, is missing in the stored files.
  const lines = [...logged];
  await work(5);
  await server[Symbol.asyncDispose]();
  const heads = lines.map((line) => JSON.parse(line) as { audit?: AuditHead | StampedAuditHead });
  told = heads.flatMap(({ audit }) => (audit === undefined || 'token' in audit ? [] : audit));
  const stamped = heads.flatMap(({ audit }) => (audit !== undefined && 'token' in audit ? audit : []));
  const file = (name: string, content: string | Buffer): string => {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    return path;
  };
  kept = {
    log: file('server.log', `Benchbook is ready at http://127.0.0.1:4020\n${lines.join('')}`),
    // In the format of a receiver: with its own prefix, among other lines.
    syslog: file(
      'syslog',
      ['May  4 cron[7]: run', ...messages.map(({ text }) => `May  4 ${text}`)].join('\n'),
    ),
    webhooks: file('hooks.jsonl', bodies.map(({ body }) => body).join('\n')),
    stamps: file('head.tsr', Buffer.from(must(stamped.at(-1), 'a stamp').token, 'base64')),
    export: join(folder.path, 'audit.jsonl'),
    certificate: file('root.pem', authority.vouching),
  };
  rows = rowsOf(data);
  await benchbook(data, 'export', kept.export, '--json', '--until', told.at(-1)?.time ?? '');
  expect(told.length).toBeGreaterThanOrEqual(3);
  expect(rows.length).toBeGreaterThan(must(told.at(-1), 'the last head').seq);
});
afterAll(async () => {
  await authority[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function benchbook(
  dataDir: string,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCli(['audit', ...args, '--data', dataDir], {
    env: {},
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    input: async () => '',
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

function rowsOf(dataDir: string): AuditRow[] {
  const raw = new BetterSqlite3(join(dataDir, databaseName), { readonly: true });
  const found = raw.prepare('SELECT * FROM audit_log ORDER BY seq').all() as AuditRow[];
  raw.close();
  return found;
}

/** Renumbers rows and gives them correct hashes; nobody needs a key for that. */
function chained(list: readonly AuditRow[]): AuditRow[] {
  let prev = noHash;
  return list.map((row, index) => {
    const next = { ...row, seq: index + 1, prev_hash: prev };
    prev = hashOf(next);
    return { ...next, hash: prev };
  });
}

/** Replaces the log with other rows, invisibly in the schema. */
function store(raw: BetterSqlite3.Database, list: readonly AuditRow[]): void {
  const triggers = raw
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit_log'`)
    .all() as { name: string; sql: string }[];
  for (const { name } of triggers) raw.exec(`DROP TRIGGER ${name}`);
  raw.exec('DELETE FROM audit_log');
  for (const row of list) {
    const names = Object.keys(row);
    raw
      .prepare(
        `INSERT INTO audit_log (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
      )
      .run(row);
  }
  for (const { sql } of triggers) raw.exec(sql);
}

/** Seals notes of another log with the key of the server. */
async function seal(dataDir: string, list: readonly AuditRow[]): Promise<Anchors> {
  rmSync(join(dataDir, anchorFiles.anchors), { force: true });
  const anchors = new Anchors(dataDir);
  await anchors.add('begin', must(list[1], 'the second row'), 0);
  await anchors.add('head', must(list.at(-1), 'the last row'), must(list.at(-1), 'the last row').at);
  return anchors;
}

/** A copy of the data folder in which an attacker with every key replaced the log. */
async function forged(name: string, change: (list: AuditRow[]) => readonly AuditRow[]): Promise<string> {
  const copy = join(folder.path, name);
  cpSync(data, copy, { recursive: true });
  const list = chained(change(structuredClone(rows)));
  const raw = new BetterSqlite3(join(copy, databaseName));
  store(raw, list);
  raw.close();
  await seal(copy, list);
  return copy;
}

const report = async (dataDir: string, ...args: string[]): Promise<AuditReport> =>
  JSON.parse((await benchbook(dataDir, 'verify', '--json', ...args)).out) as AuditReport;

/** A reported head in the form that is compared. */
const keptHead = ({ seq, hash, server, time }: AuditHead): KeptHead => ({
  place: `head ${seq}`,
  seq,
  hash,
  server,
  time,
  token: null,
});

const lastTold = (): AuditHead => must(told.at(-1), 'the last head');

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

const attacks: Record<string, (list: AuditRow[]) => readonly AuditRow[]> = {
  'cutting the newest rows': (list) => list.slice(0, lastTold().seq - 1),
  'cutting all but the first rows': (list) => list.slice(0, 4),
  'cutting, and other rows in the place of the ones cut': (list) =>
    list.map((row) => (row.seq > 12 ? { ...row, action: 'GET /nothing', changes: '[]' } : row)),
  'another name in one row, with right hashes': (list) =>
    list.map((row) => (row.seq === 9 ? { ...row, name: 'Nobody' } : row)),
  'leaving one row out, with right hashes': (list) => list.filter(({ seq }) => seq !== 9),
  'putting one row in, with right hashes': (list) => [
    ...list.slice(0, 9),
    must(list[8], 'a row'),
    ...list.slice(9),
  ],
  'another last row that was told': (list) =>
    list.map((row) => (row.seq === lastTold().seq ? { ...row, at: row.at + 1 } : row)),
};

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
    cpSync(data, copy, { recursive: true });
    const keep = must(told.at(-2), 'a head').seq - 2;
    const anew = chained(rows.map((row) => (row.seq > keep ? { ...row, name: 'Nobody' } : row)));
    const raw = new BetterSqlite3(join(copy, databaseName));
    store(raw, how === 'writing rows anew' ? anew : rows.slice(0, keep));
    raw.close();
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
  for (const name of [databaseName, anchorFiles.key]) cpSync(join(data, name), join(forger.path, name));
  const raw = new BetterSqlite3(join(forger.path, databaseName));
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: raw }) });
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
      raw.exec('BEGIN');
      try {
        store(raw, list);
        const alone = await verifyAudit(db, anchors);
        expect(alone.findings).toEqual([]);
        const { findings, against } = await verifyAudit(db, anchors, {
          kept: { heads, unreadable: [], unstamped: [] },
          options: { certificates: [] },
        });
        // A duplicated row differs from the next row on.
        const isTold = how === 'put in' ? seq < newest : seq <= newest;
        expect(findings.length > 0, `${how} row ${seq}`).toBe(isTold);
        const sound = told.filter((head) => (how === 'put in' ? head.seq <= seq : head.seq < seq));
        expect(against?.newest?.seq ?? 0).toBe(sound.at(-1)?.seq ?? 0);
      } finally {
        raw.exec('ROLLBACK');
      }
    }),
    { numRuns: runs(100) },
  );
  await db.destroy();
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
  const raw = new BetterSqlite3(join(copy, databaseName));
  const { value } = raw.prepare(`SELECT value FROM meta WHERE name = 'site'`).get() as { value: string };
  const site = JSON.parse(value) as { audit_timestamp: { certificates: string[] } | null };
  raw.prepare(`UPDATE meta SET value = ? WHERE name = 'site'`).run(
    JSON.stringify({
      ...site,
      audit_timestamp: { ...site.audit_timestamp, certificates: [stranger.vouching] },
    }),
  );
  const byTheirs = await benchbook(copy, 'verify', '--against', kept.stamps);
  expect(byTheirs).toMatchObject({ code: 1, out: expect.stringContaining('the time stamp does not hold') });
  const byOurs = await benchbook(copy, 'verify', '--against', kept.stamps, '--certificate', kept.certificate);
  expect(byOurs).toMatchObject({ code: 1, out: expect.stringContaining('no row has the hash') });
  raw
    .prepare(`UPDATE meta SET value = ? WHERE name = 'site'`)
    .run(JSON.stringify({ ...site, audit_timestamp: null }));
  raw.close();
  expect(await benchbook(copy, 'verify', '--against', kept.stamps)).toMatchObject({
    code: 1,
    err: expect.stringContaining('give the certificate of their signer with --certificate'),
  });
});

test('AUDIT-14 AUDIT-8 a restored backup contradicts the heads of its lost rows, and matches heads reported afterwards', async () => {
  const copy = join(folder.path, 'restored');
  cpSync(data, copy, { recursive: true });
  const raw = new BetterSqlite3(join(copy, databaseName));
  store(raw, rows.slice(0, must(told.at(-2), 'a head').seq));
  raw.close();
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

test('AUDIT-17 rows removed or replaced while the server runs are reported within seconds, whatever the notes say', async () => {
  for (const change of [
    (list: AuditRow[]) => list.slice(0, -3),
    (list: AuditRow[]) => list.map((row) => (row.seq === 5 ? { ...row, name: 'Nobody' } : row)),
    // As many rows as before.
    (list: AuditRow[]) => [...list.slice(0, -2), must(list[1], 'a row'), must(list[2], 'a row')],
  ]) {
    await using own = await temporaryFolder('running');
    const lines: string[] = [];
    await using server = await startServer({ dataDir: own.path, log: memoryLog(lines) });
    const ana = await server.person('Ana');
    for (let time = 0; time < 5; time += 1)
      await ana.call('PATCH', `/users/${ana.userid}`, { location: `${time}` });
    await server.guard.look();
    const raw = new BetterSqlite3(join(own.path, databaseName));
    const list = chained(change(rowsOf(own.path)));
    raw.exec('BEGIN IMMEDIATE');
    store(raw, list);
    raw.exec('COMMIT');
    raw.close();
    await seal(own.path, list);
    await server.guard.look();
    expect(lines.some((line) => line.includes('does not go on from where it had ended'))).toBe(true);
    expect(await benchbook(own.path, 'verify')).toMatchObject({
      code: 1,
      out: expect.stringContaining('acknowledge it'),
    });
    const before = lines.length;
    await server.guard.look();
    expect(lines.slice(before).filter((line) => line.includes('does not go on'))).toEqual([]);
  }
});
