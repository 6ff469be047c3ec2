import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { refusedSentences } from '#desktop/renderer/text/de/refused-sentences.ts';
import { germanRefusal } from '#desktop/renderer/text/de/refused-words.ts';
import { refusalCodes } from '#desktop/renderer/text/de/refusals.ts';
import { connectionSentences, reportedSentences } from '#desktop/renderer/text/de/reported-sentences.ts';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { changeSite } from '#server/core/site.ts';
import type { ServerStatus } from '#shared/model/site.ts';
import { readAnswer } from '#shared/api/client.ts';
import { problemCodes } from '#shared/api/problem.ts';
import type { ProblemBody } from '#shared/api/problem-body.ts';
import { formField, type FormField } from '#shared/model/step-form.ts';
import { checkFieldValue } from '#shared/rules/field-value.ts';
import { fixture, guideDocument, openAll } from '#test/shared/formats/omanual/opened.ts';
import { handMadeZip, type HandMade } from '#desktop/build/conformance/hand-made-zip.ts';
import { saidSentences } from '#test/support/said-sentences.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { informal } from '#test/support/translation-flaws.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

function sourcesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(root, folder, path), 'utf8')),
  );
}

/** Words that no German sentence has. */
const english = /\b(?:the|is|not|must|only|found|has|have|of|may|you|with)\b/i;

const literal = String.raw`('(?:[^'\\\n]|\\.)+'|"[^"\n]+"|${'`'}[^${'`'}]+${'`'})`;
const refusing = new RegExp(
  String.raw`(?:new Problem\(\s*'[a-z-]+',\s*|\bimpossible\(\s*|\binvalid\(\s*'[^']*',\s*|\bforbidden\(\s*|\bmessage: )${literal}`,
  'g',
);

/** The sentences that sources refuse with, as they are written there: `{}` for each value. */
function sentencesOf(sources: readonly string[]): string[] {
  const found = sources.flatMap((source) =>
    [...source.matchAll(refusing)].map(([, quoted = '']) =>
      quoted
        .slice(1, -1)
        .replaceAll(/\\(.)/g, '$1')
        .replaceAll(/\$\{[^}]*\}/g, '{}'),
    ),
  );
  return [...new Set(found)].filter((one) => / /.test(one) && !one.includes('${'));
}

describe('LANGUAGE-11 what is refused is German in the German app', () => {
  test('every code has German words', () => {
    expect(Object.keys(refusalCodes).toSorted()).toEqual([...problemCodes].toSorted());
    const all = Object.entries(refusalCodes);
    expect(all.filter(([, words]) => !/^[A-ZÄÖÜ„].{10,}\.$/.test(words))).toEqual([]);
    expect(new Set(all.map(([, words]) => words)).size).toBeGreaterThan(all.length * 0.8);
    for (const code of problemCodes)
      expect(germanRefusal('A sentence of a newer server', code)).toBe(refusalCodes[code]);
    expect(germanRefusal('A sentence of a newer server', 'a-new-code')).toBe('A sentence of a newer server');
  });

  test('every sentence with which the engine or a shared rule refuses is translated', () => {
    const sentences = sentencesOf(sourcesIn('desktop/engine', 'shared/rules'));
    expect(sentences.length).toBeGreaterThan(100);
    // Its values are the label of a field, and what is wrong with it.
    const untranslated = sentences.filter((one) => germanRefusal(one) === one && one !== '{}: {}');
    expect(untranslated).toEqual([]);
  });

  test('every sentence with which the schema of a form refuses is translated', () => {
    const schemas = /(?:\berror: |\.refine\([^']*)'([^'\n]+)'/g;
    const sentences = ['shared/model/site-settings.ts', 'shared/api/webhooks.ts'].flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(schemas)].map(([, sentence = '']) => sentence),
    );
    expect(sentences).toContain('Must be a time zone such as Europe/Berlin');
    expect(sentences.filter((one) => / /.test(one) && germanRefusal(one) === one)).toEqual([]);
  });

  test('every translated sentence is one that the sources can say', () => {
    const said = sourcesIn('desktop/engine', 'shared', 'sync-server')
      .join('\n')
      .replaceAll(/\\(['"])/g, '$1');
    // A value may have a part of the sentence to itself.
    const parts = (sentence: string): string[] =>
      sentence
        .split(/\{\}|[(),<>]/)
        .map((part) => part.trim())
        .filter((part) => part.length > 8);
    const composed = new RegExp(
      `^(?:${[
        'Must (?:be|have) (?:at |more |less )',
        'The server answered',
        String.raw`\{\} takes at most 1 photo`,
        '(?:No|The) (?:image|video|document) ',
        'A (?:category has no|tool |part )',
        String.raw`The name \{\} `,
        String.raw`\{\} is no (?:picture|video|PDF document), as `,
        String.raw`\{\} in \{\} belongs? to `,
        String.raw`\{\} with 1 marker`,
      ].join('|')})`,
    );
    const stale = Object.keys({ ...reportedSentences, ...refusedSentences }).filter(
      (one) => !composed.test(one) && !parts(one).every((part) => said.includes(part)),
    );
    expect(stale).toEqual([]);
  });

  test('the German has the values of the English, and says Sie', () => {
    const all = { ...connectionSentences, ...reportedSentences, ...refusedSentences };
    const wrong = Object.entries(all).filter(([english, german]) => {
      const values = english.split('{}').length - 1;
      const numbers = [...german.matchAll(/\{(\d)\}/g)].map(([, number]) => Number(number));
      return numbers.some((number) => number > values) || german.includes('{}') || /["']/.test(german);
    });
    expect(wrong).toEqual([]);
    const pairs = Object.entries({ ...all, ...refusalCodes }).map(([place, german]) => {
      return { place, english: '', german, names: null };
    });
    expect(informal(pairs)).toEqual([]);
  });

  test('what is wrong with a value names its field', () => {
    const flawOf = (change: Partial<FormField>, value: string): string => {
      const field = formField.parse({
        field_revisionid: 1,
        field_guid: 'f',
        label: 'Drehmoment',
        field_type: 'Text Input',
        options: [],
        placeholder: '',
        textarea: '',
        required: false,
        ...change,
      });
      const checked = checkFieldValue(field, value);
      return 'message' in checked ? germanRefusal(checked.message) : '';
    };
    expect(flawOf({}, 'a\nb')).toBe('Drehmoment nimmt nur eine Zeile auf');
    expect(flawOf({}, 'a'.repeat(20_000))).toBe('Drehmoment ist länger als 10000 Zeichen');
    expect(flawOf({ field_type: 'Numeric Input' }, 'viel')).toBe('Drehmoment ist eine Zahl wie 12,5');
    expect(flawOf({ field_type: 'Select', options: ['Rot', 'Grün'] }, 'Blau')).toBe(
      'Drehmoment ist eines hiervon: Rot, Grün',
    );
    expect(flawOf({ field_type: 'Image' }, 'x')).toBe('Drehmoment nimmt nur eine hochgeladene Datei auf');
    expect(flawOf({ field_type: 'Checkbox' }, 'x')).toBe('Ein Kontrollkästchen ist „1“ oder „0“');
    const options = { limit_min: false, min: 0, limit_max: false, max: 0, limit_decimals: true, decimals: 1 };
    expect(flawOf({ field_type: 'Numeric Input', options }, '1.25')).toBe(
      'Drehmoment hat höchstens 1 Nachkommastelle',
    );
  });

  test('a name before a sentence, and a sentence within one, are translated too', () => {
    expect(germanRefusal('Torque: A second photo: The line is empty')).toMatch(/^Torque: /);
    expect(germanRefusal('Torque: The line is empty')).toBe('Torque: Die Zeile ist leer');
    expect(germanRefusal('This work order cannot be paused now')).toBe(
      'Dieser Auftrag kann jetzt nicht pausiert werden',
    );
    expect(germanRefusal('The line has more than 500 characters')).toBe('Die Zeile hat mehr als 500 Zeichen');
    expect(germanRefusal('Guide not found', 'guide-not-found')).toBe(refusalCodes['guide-not-found']);
  });
});

describe('LANGUAGE-13 what is reported is German in the German app', () => {
  /** How sources report, and a sentence of each. */
  const reporting: Readonly<Record<string, { calls: string[]; such: string }>> = {
    'shared/formats/omanual': {
      calls: ['add', 'lost', 'refuse', '#refuse', 'disagree', 'ArchiveRefused', 'ArchiveTooLarge'],
      such: 'has another checksum in its own header',
    },
    'desktop/engine/features/archives/reader.ts': {
      calls: [],
      such: '{} more lines are not shown here; “benchbook omanual check” lists all.',
    },
    'sync-server/features/omanual': {
      calls: ['add', 'note', 'invalid', 'Problem', 'ArchiveRefused', 'NotFetched'],
      such: 'It builds on {}, which is not inside',
    },
    'sync-server/jobs': { calls: ['Problem', 'JobCancelled'], such: 'The job was interrupted {} times' },
    'sync-server/features/training/import-job.ts': {
      calls: ['invalid'],
      such: 'The address did not answer in time',
    },
    'sync-server/features/training/package.ts': {
      calls: ['PackageRefused'],
      such: '{}: {} names no file to launch',
    },
    'sync-server/features/training/manifests': {
      calls: ['PackageRefused', 'refuse'],
      such: 'has no item that launches a resource',
    },
    'sync-server/features/backup': {
      calls: ['add', 'BadSetting', 'DamagedBackup'],
      such: 'The table {} has {} rows; it had {} when it was backed up.',
    },
    'sync-server/features/audit/verify.ts': { calls: ['found'], such: 'Row {} was changed' },
    'sync-server/features/health/backup-checks.ts': {
      calls: ['ok', 'warning', 'fault'],
      such: 'There is no backup yet.',
    },
    'sync-server/features/health/folder-checks.ts': {
      calls: ['ok', 'warning', 'fault'],
      such: 'Devices know this server as {}.',
    },
    'sync-server/features/site/status.ts': {
      calls: ['ok', 'fault'],
      such: 'No damage of the database was found.',
    },
    'desktop/engine/views/conflict.ts': { calls: ['pictureText'], such: 'picture {}' },
  };
  const names = ['message', 'what', 'advice', 'name'];
  const everySentence = { ...reportedSentences, ...refusedSentences };

  /** The sentences of a folder or file. What checks an archive is read at the command line only. */
  function saidIn(path: string, calls: readonly string[]): string[] {
    const files = path.endsWith('.ts')
      ? [path]
      : readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.ts') && !file.startsWith('check'))
          .map((file) => `${path}/${file}`);
    return files.flatMap((file) => saidSentences(readFileSync(join(root, file), 'utf8'), { calls, names }));
  }

  /** Whether nothing of a sentence stays English, or a longer one that it is a part of is translated. */
  function isTranslated(sentence: string): boolean {
    const part = sentence.trim().replace(/\.$/, '');
    const isPart = part.replaceAll('{}', '').trim().length > 4;
    // Some places have few values, each with a translation of its own.
    return (
      ['{}', 'image', 'tools', 'tool', 'picture'].some((value) => isGerman(sentence.replace('{}', value))) ||
      (isPart && Object.keys(everySentence).some((key) => key.includes(part)))
    );
  }

  function isGerman(sentence: string): boolean {
    const german = germanRefusal(sentence);
    return sentence.split(/(?<=\.) /).every((one) => !german.includes(one));
  }

  test.each(Object.entries(reporting))('every sentence of %s is translated', (path, { calls, such }) => {
    const said = saidIn(path, calls);
    expect(said).toContain(such);
    // The parts of these are translated with each of their values.
    const composed = new Set(['The name {} {}.', 'The package could not be fetched{}']);
    expect(said.filter((one) => !composed.has(one) && !isTranslated(one))).toEqual([]);
  });

  test('every phase of an import that is shown is translated', () => {
    const source = readFileSync(join(root, 'sync-server/features/training/import-job.ts'), 'utf8');
    const phases = [...source.matchAll(/job\.progress\([^']*'([^']+)'/g)].map(([, phase = '']) => phase);
    expect(phases).toContain('Unpacking');
    expect(phases.filter((one) => germanRefusal(one) === one)).toEqual([]);
  });

  test('every translated sentence about a connection is one that Node.js or Nodemailer says', () => {
    const said = readFileSync(
      join(root, 'node_modules/nodemailer/dist/esm/smtp-connection/index.js'),
      'utf8',
    );
    // These come from the system and from OpenSSL.
    const ofSystem = /^(?:connect|read|getaddrinfo) E|certificate/;
    const own = Object.keys(connectionSentences).filter((one) => !ofSystem.test(one));
    expect(own.length).toBeGreaterThan(12);
    expect(own.filter((one) => !said.includes(one.split(/: \{\}|"?\{\}/)[0] ?? ''))).toEqual([]);
  });

  test('sentences of several parts, their values, and codes behind them are translated', () => {
    expect(
      germanRefusal('The last backup was made 3 days ago. Since then one failed: There is no folder /mnt/b.'),
    ).toBe(
      'Die letzte Sicherung ist vor 3 Tagen entstanden. Seither ist eine fehlgeschlagen: Den Ordner /mnt/b gibt es nicht.',
    );
    expect(germanRefusal('The disk of the data folder has 12.5 GB free.')).toBe(
      'Auf dem Datenträger des Datenordners sind 12,5 GB frei.',
    );
    expect(germanRefusal('a.txt is encrypted. (encrypted)')).toBe('a.txt ist verschlüsselt. (encrypted)');
    expect(germanRefusal('The image x.png is not in the package.')).toBe('Das Bild x.png fehlt im Paket.');
    expect(germanRefusal('A step with 5 pictures is written as 2 steps')).toBe(
      'Ein Schritt mit 5 Bildern wird als 2 Schritte geschrieben',
    );
    expect(germanRefusal('Left out 2 prerequisites that not everyone can see')).toBe(
      'Weggelassen, weil nicht alle es sehen dürfen: 2 Voraussetzungen',
    );
    expect(germanRefusal('new picture with 1 marker')).toBe('neues Bild mit 1 Markierung');
    expect(germanRefusal('picture 7 with 2 markers')).toBe('Bild 7 mit 2 Markierungen');
    expect(germanRefusal('The package could not be fetched (ECONNRESET)')).toBe(
      'Das Paket war nicht zu laden (ECONNRESET)',
    );
    // What people wrote stays as it is.
    expect(germanRefusal('Turn the picture. It is upside down.')).toBe(
      'Turn the picture. It is upside down.',
    );
  });

  test('archives that cannot be read say why in German', async () => {
    const guide: HandMade = { name: 'guide.xml', content: guideDocument(), deflate: true };
    const member = (one: Partial<HandMade>) => handMadeZip([guide, { name: 'x', content: 'x', ...one }]);
    const broken = [
      ...['../x', '/x', 'a\\x', 'a\u0000x', 'x'.repeat(1025), './guide.xml', ''].map((name) =>
        member({ name }),
      ),
      member({ flags: 1 }),
      member({ directory: { method: 12 } }),
      member({ directory: { offset: 0 } }),
      member({ directory: { size: 20 } }),
      member({ directory: { name: 'y' } }),
      ...['zipslip', 'doctype', 'no-index-no-guide'].map((name) => fixture(`own/reject-${name}.omanual`)),
      Buffer.from('This is no archive.'),
    ];
    const words = await Promise.all(
      broken.map(async (bytes) =>
        openAll(bytes).then(
          () => 'was read',
          (error: unknown) => germanRefusal(error instanceof Error ? error.message : ''),
        ),
      ),
    );
    expect(words.filter((one) => !/[a-zäöü]/i.test(one) || english.test(one))).toEqual([]);
    expect(new Set(words).size).toBeGreaterThan(10);
  });
});

describe('LANGUAGE-11 refusals of a server', () => {
  let server: TestServer;
  let ana: TestPerson;
  let maria: TestPerson;
  beforeAll(async () => {
    server = await startServer();
    ana = await server.person('Ana');
    maria = await server.person('Maria', ['User']);
    await server.category('Grinder', undefined, 'Text');
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  test('are German, field by field', async () => {
    const guide = await ana.client.guides.create({
      body: { category: 'Grinder', type: 'repair', title: 'Belt', public: true },
    });
    const at = `/guides/${guide.guideid}`;
    const step = { title: 'x'.repeat(600), lines: [] };
    const made = await ana.call('POST', '/teams', { name: 'Line B' });
    const team: { teamid: number } = made.body;
    const answers: [status: number, body: ProblemBody][] = [];
    const refused = async (by: TestPerson, method: string, path: string, body?: unknown) => {
      const answer = await by.call(method, path, body);
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
      // The body of a 409 is the current record.
      if (answer.status !== 409) answers.push([answer.status, answer.body]);
    };
    await refused(maria, 'GET', '/guides/999999');
    await refused(maria, 'DELETE', `${at}?revisionid=${guide.revisionid}`);
    await refused(maria, 'PATCH', `${at}?revisionid=${guide.revisionid}`, { title: 'Other' });
    await refused(ana, 'PATCH', `${at}?revisionid=1`, { title: 'Other' });
    await refused(ana, 'PATCH', `${at}?revisionid=${guide.revisionid}`, { summary: 'x'.repeat(300) });
    await refused(ana, 'PATCH', `${at}?revisionid=${guide.revisionid}`, { title: 7, nonsense: true });
    await refused(ana, 'POST', `${at}/steps?revisionid=${guide.revisionid}`, step);
    await refused(ana, 'PUT', `${at}/tag`, { tag: '' });
    await refused(ana, 'POST', '/guides', { category: 'Nowhere', type: 'repair', title: 'x' });
    await refused(maria, 'PATCH', `/teams/${team.teamid}`, { name: 'Mine' });
    await refused(ana, 'PATCH', `/teams/${team.teamid}`, { owner: 999_999 });
    await refused(ana, 'POST', '/work_log', { guideid: 999_999, workorderid: 'A' });
    await refused(maria, 'GET', '/audit');
    await refused(ana, 'POST', '/comments/guide/999999', { text: 'Hello' });
    await refused(ana, 'PATCH', `/users/${maria.userid}`, { username: 'X' });
    const shown = answers.flatMap(([, body]) => [
      germanRefusal(body.message, body.code),
      ...(body.errors ?? []).map(({ message }) => germanRefusal(message, 'invalid')),
    ]);
    expect(shown.filter((words) => english.test(words))).toEqual([]);
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([403, 404, 422]));
    expect(new Set(shown).size).toBeGreaterThan(12);
  });

  test('LANGUAGE-13 so is what the checks of a server, a job, and a mail server report', async () => {
    const admin = await server.person('Boss', ['Admin']);
    const { findings, backup } = (await admin.call('GET', '/site/status')).body as ServerStatus;
    expect(findings.length).toBeGreaterThan(5);
    const said = findings.flatMap(({ message, advice }) => [message, ...(advice === null ? [] : [advice])]);
    expect(said.map((one) => germanRefusal(one)).filter((one) => english.test(one))).toEqual([]);
    expect(backup.failed).toBeNull();
    const mail = {
      host: '127.0.0.1',
      port: 1,
      tls: false,
      user: null,
      password: null,
      from: 'a@example.com',
    };
    await changeSite(server.services, { smtp: mail });
    const refused = await admin.call('POST', '/site/test_mail');
    expect(refused.status).toBe(422);
    const { message }: ProblemBody = refused.body;
    expect(germanRefusal(message)).toBe(
      'Der Mailserver hat die E-Mail nicht angenommen: 127.0.0.1:1 lehnt die Verbindung ab (ECONNREFUSED)',
    );
  });

  test('LANGUAGE-11 a value that is too long names its limit', async () => {
    const { status, body } = await ana.call('POST', '/teams', { name: 'x'.repeat(400) });
    const trouble = await readAnswer(Response.json(body, { status })).catch((error: unknown) => error);
    expect(errorMessage(trouble)).toMatch(/^Must have at most \d+ characters$/);
    expect(germanRefusal(errorMessage(trouble))).toMatch(/^Darf höchstens \d+ Zeichen haben$/);
  });
});
