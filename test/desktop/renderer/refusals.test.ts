import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { refusedSentences } from '#desktop/renderer/text/de/refused-sentences.ts';
import { germanRefusal } from '#desktop/renderer/text/de/refused-words.ts';
import { refusalCodes } from '#desktop/renderer/text/de/refusals.ts';
import { problemCodes } from '#shared/api/problem.ts';
import type { ProblemBody } from '#shared/api/problem-body.ts';
import { formField, type FormField } from '#shared/model/step-form.ts';
import { checkFieldValue } from '#shared/rules/field-value.ts';
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
    const parts = (sentence: string): string[] =>
      sentence.split('{}').filter((part) => part.trim().length > 8);
    const composed =
      /^(?:Must (?:be|have) (?:at |more |less )|The server answered|\{\} takes at most 1 photo)/;
    const stale = Object.keys(refusedSentences).filter(
      (one) => !composed.test(one) && !parts(one).every((part) => said.includes(part)),
    );
    expect(stale).toEqual([]);
  });

  test('the German has the values of the English, and says Sie', () => {
    const wrong = Object.entries(refusedSentences).filter(([english, german]) => {
      const values = english.split('{}').length - 1;
      const numbers = [...german.matchAll(/\{(\d)\}/g)].map(([, number]) => Number(number));
      return numbers.some((number) => number > values) || german.includes('{}') || /["']/.test(german);
    });
    expect(wrong).toEqual([]);
    const pairs = Object.entries({ ...refusedSentences, ...refusalCodes }).map(([place, german]) => {
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
    const english = /\b(?:the|is|not|must|only|found|has|have|of|may|you|with)\b/i;
    const shown = answers.flatMap(([, body]) => [
      germanRefusal(body.message, body.code),
      ...(body.errors ?? []).map(({ message }) => germanRefusal(message, 'invalid')),
    ]);
    expect(shown.filter((words) => english.test(words))).toEqual([]);
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([403, 404, 422]));
    expect(new Set(shown).size).toBeGreaterThan(12);
  });
});
