import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { isMessage, translate } from '#shared/text/message.ts';
import { pseudoLocale } from '#shared/text/pseudo-locale.ts';
import { must } from '#shared/must.ts';
import { contextForJob } from '#server/core/job.ts';
import { changeSite } from '#server/core/site.ts';
import { BackupSchedule } from '#server/features/backup/schedule.ts';
import { watchIntegrity } from '#server/features/health/integrity.ts';
import type { Mail } from '#server/features/mail/mailer.ts';
import { resultPage, signInPage } from '#server/features/sign-on/page.ts';
import { afterSignature } from '#server/features/tokens/notices.ts';
import { playerScript } from '#server/features/training/player/page.ts';
import { mails as germanMails } from '#server/text/de/mails.ts';
import { pages as germanPages } from '#server/text/de/pages.ts';
import { mailTexts } from '#server/text/en/mails.ts';
import { pageTexts } from '#server/text/en/pages.ts';
import { textsFor, textsIn, type Texts } from '#server/text/texts.ts';
import { IdentityProvider } from '#test/support/identity-provider.ts';
import { mailedBy } from '#test/support/mail-server.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { scorm12 } from '#test/support/training-packages.ts';
import { assigned, opened, playerOf } from '#test/support/training-world.ts';
import { informal, missingGerman, otherValues, pairsOf } from '#test/support/translation-flaws.ts';
import { written } from '#test/support/written.ts';

/** Names without letters, so that each word of a mail is a text of the server. */
const [site, provider] = ['4711', new IdentityProvider()];
const password = 'a long password';
const proof = { current_password: password };
const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
let server: TestServer;
let [root, admin, ana]: TestPerson[] = [];
const sent: Mail[] = [];

beforeAll(async () => {
  server = await startServer({ now: () => clock.now });
  const { mailer } = server.services;
  vi.spyOn(mailer, 'send').mockImplementation((mail) => void sent.push(mail));
  vi.spyOn(mailer, 'try').mockImplementation(async (mail) => void sent.push(mail));
  root = await server.person('10', ['Admin']);
  admin = await server.person('11', ['Admin', 'Author']);
  ana = await server.person('12');
  const address = 'https://guides.example.org';
  await changeSite(server.services, {
    ...mailedBy({ port: 1 }),
    address,
    name: site,
    title: site,
  });
  const sign_on = { entry_point: provider.entryPoint, certificates: [provider.certificate] };
  await root.call('PATCH', '/site', { sign_on, ...proof });
});
afterAll(() => server[Symbol.asyncDispose]());

async function speak(langid: string): Promise<void> {
  await written(server.services, (tx) => tx.updateTable('users').set({ langid }).execute());
}

async function post(path: string, body: unknown): Promise<void> {
  await fetch(`${server.url}/api/2.0${path}`, { method: 'POST', body: JSON.stringify(body) });
}

/** What remains of a text without addresses, values of the server, and texts of the pseudo-locale. */
function foreignWords(text: string): string[] {
  const words = text
    .replaceAll(/https?:\/\/\S+/g, '')
    .replaceAll(/\b(?:GET|POST|PATCH) \/[\w/{}]*/g, '')
    // The lists of `Intl`, and the names of records in the audit log.
    .replaceAll(/\] and \[|\buser \d+/g, '');
  return words.match(/[A-Za-z]{3,}/g) ?? [];
}

/** The longest text between the values of a mail. */
function sampleOf(text: string): string {
  return must(text.split(/\d+|https?:\S+/).toSorted((a, b) => b.length - a.length)[0], 'a text');
}

/** Makes the server send each of its mails. */
async function sendAll(): Promise<void> {
  sent.length = 0;
  const one = must(ana, 'a person');
  const boss = must(admin, 'an administrator');
  const other = await server.person('15');
  await speak(pseudoLocale);
  for (const by of ['mail', 'code'])
    await boss.call('POST', `/accounts/${one.userid}/invitation`, { by, ...proof });
  await post('/users/reset_password', { email: '12@example.com' });
  await boss.call('PATCH', `/users/${one.userid}`, {
    password: 'another password',
    sso_userid: '12',
    ...proof,
  });
  await contextForJob(server.services, null, (ctx) => afterSignature(ctx, one.userid)).then((tell) => tell());
  for (const email of ['13@example.com', '11@example.com'])
    await other.call('PATCH', `/users/${other.userid}`, { email, ...proof });
  await must(root, 'an administrator').call('PATCH', '/site', {
    address: 'https://other.example.org',
    ...proof,
  });
  await boss.call('POST', '/site/test_mail');
  for (let tries = 0; tries < 11; tries += 1)
    await post('/user/token', { email: '12@example.com', password: 'wrong' });
  const stop = watchIntegrity(server.services, ':memory:');
  server.services.damage.report('1 2 3');
  await stop();
  for (const code of [1, 0]) await backUp(code);
  await vi.waitFor(() => expect(sent.length).toBeGreaterThanOrEqual(12));
}

/** Lets a backup fail (1) or succeed (0), and reports it. */
async function backUp(code: number): Promise<void> {
  const timers: (() => void)[] = [];
  const schedule = new BackupSchedule(server.services, {
    dataDir: server.dataDir,
    run: async () => ({ code, text: '28' }),
    setTimer: (work) => {
      timers.push(work);
      return () => undefined;
    },
  });
  const before = sent.length;
  schedule.makeNow();
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(before));
  await schedule[Symbol.asyncDispose]();
}

describe('LANGUAGE-5 a mail is in the language of its recipient, and all of it from the catalog', () => {
  test('in the pseudo-locale', async () => {
    await sendAll();
    for (const { to, subject, text } of sent)
      expect([to, foreignWords(subject), foreignWords(text)]).toEqual([to, [], []]);
    // Each mail was sent.
    const { mails } = textsIn(pseudoLocale);
    const all = sent.map(({ text }) => text).join('\n');
    for (const [name, text] of Object.entries(bodiesOf(mails)))
      expect([name, all]).toEqual([name, expect.stringContaining(sampleOf(text))]);
  });

  test('in German, also where the site speaks it and the language of the person has no texts', async () => {
    await changeSite(server.services, { langid: 'de', languages: ['de'] });
    await speak('fr');
    sent.length = 0;
    await must(admin, 'an administrator').call('POST', '/site/test_mail');
    await speak('en-GB');
    await must(admin, 'an administrator').call('POST', '/site/test_mail');
    await changeSite(server.services, { langid: 'en', languages: ['en'] });
    expect(sent.map(({ subject }) => subject)).toEqual(['Testmail von 4711', 'Test mail of 4711']);
  });
});

/** A body of each mail, with the values of none. */
function bodiesOf(mails: Texts['mails']): Record<string, string> {
  const bodies = Object.entries(mails).flatMap(([name, mail]) => {
    const text: unknown = 'text' in mail ? mail.text : undefined;
    return isMessage(text)
      ? [[name, text(...text.names.map((one) => (one === 'what' ? 'backup' : '0')))] as const]
      : [];
  });
  return Object.fromEntries(bodies);
}

/** The texts that a page shows or says to a screen reader. */
function shown(html: string): string {
  const spoken = [...html.matchAll(/(?:aria-label|title|alt)="([^"]*)"/g)].map(([, text]) => text);
  const written_ = html.replaceAll(/<style>.*?<\/style>/gs, '').replaceAll(/<[^>]*>/g, ' ');
  return [...spoken, written_].join('\n');
}

const accepts = { headers: { 'Accept-Language': `fr, ${pseudoLocale};q=0.9, en;q=0.8` } };

describe('LANGUAGE-6 a page of the server is in the language of the browser, and all of it from the catalog', () => {
  test('after a sign-on', async () => {
    const response = await fetch(`${server.url}/api/2.0/sign_on/assertions`, {
      method: 'POST',
      body: new URLSearchParams({ RelayState: 'none', SAMLResponse: 'none' }),
      ...accepts,
    });
    const html = await response.text();
    expect(html).toContain(`<html lang="${pseudoLocale}">`);
    expect(shown(html)).toContain('4711');
    expect(foreignWords(shown(html))).toEqual([]);
    const reader = { services: server.services, headers: { 'accept-language': pseudoLocale } };
    for (const page of [
      resultPage(reader, { ok: true }),
      signInPage(reader, { ok: true, goTo: 'https://guides.example.org' }),
      signInPage(reader, {
        ok: false,
        flaw: (flaws) => flaws.unknownId('5'),
        back: 'https://guides.example.org',
      }),
    ])
      expect(foreignWords(shown(page.text))).toEqual([]);
  });

  test('around a training module', async () => {
    const [author, learner] = [must(admin, 'an author'), await server.person('14')];
    const { moduleid } = await assigned(server, author, learner, scorm12());
    const { url } = await playerOf(learner, moduleid);
    const frame = await fetch(url, accepts);
    expect(foreignWords(shown(await frame.text()).replaceAll('Lockout', ''))).toEqual([]);
    const inner = await opened((await playerOf(learner, moduleid)).url);
    const response = await fetch(inner, accepts);
    const html = await response.text();
    expect(html).toContain(`<html lang="${pseudoLocale}">`);
    expect(foreignWords(shown(html))).toEqual([]);
    // The script has its words from the page.
    expect(playerScript).not.toMatch(/(['"`])[A-Z][a-z]+[ .:][^'"`]*\1/);
    const closed = await fetch(new URL('/player/closed', inner), accepts);
    expect(foreignWords(shown(await closed.text()))).toEqual([]);
  });

  test('where a story is missing', async () => {
    const html = await (await fetch(`${server.url}/Story/999`, accepts)).text();
    expect(html).toContain(`<html lang="${pseudoLocale}">`);
    expect(foreignWords(shown(html))).toEqual([]);
  });

  test('which comes first', () => {
    const chosen = (header: string | undefined, ...otherwise: string[]) =>
      textsFor(header, ...otherwise).locale;
    expect(chosen('de-AT,de;q=0.9,en;q=0.8')).toBe('de');
    expect(chosen('en;q=0.2, de;q=0.7')).toBe('de');
    expect(chosen('de;q=0, en')).toBe('en');
    expect(chosen('fr', 'de')).toBe('de');
    expect(chosen('*', 'it', 'de')).toBe('de');
    expect(chosen(undefined)).toBe('en');
    expect(chosen('den, ,;;q=x', '')).toBe('en');
  });
});

describe('LANGUAGE-2 every text of the server has a German one', () => {
  const pairs = [...pairsOf('mails', mailTexts, germanMails), ...pairsOf('pages', pageTexts, germanPages)];

  test('that is not empty, says Sie, and has the values of the English one', () => {
    expect([missingGerman(pairs), otherValues(pairs), informal(pairs)]).toEqual([[], [], []]);
    expect(pairs.length).toBeGreaterThan(60);
  });

  test('and can be written', () => {
    const { mails } = { mails: translate(mailTexts, germanMails, 'de') };
    expect(
      mails.changed.text('Ana', 'Passwort', 'Werk Nord', 'administrator', 'Mira', 'https://x'),
    ).toContain('Die Änderung stammt vom Administrator Mira.');
    expect(mails.attempts.text(1234, 'Werk Nord', 'POST /user/token', 'none', '10.0.0.1')).toContain(
      'bei Werk Nord sind 1.234 Versuche fehlgeschlagen: POST /user/token, kein bekanntes Konto,',
    );
  });
});

test('LANGUAGE-10 an account that a person makes has the language of their browser', async () => {
  const register = async (email: string, accepted: string) => {
    const response = await fetch(`${server.url}/api/2.0/users`, {
      method: 'POST',
      headers: { 'Accept-Language': accepted, 'X-App-Id': appid },
      body: JSON.stringify({ email, username: email, password }),
    });
    return ((await response.json()) as { langid?: string }).langid;
  };
  await changeSite(server.services, { public_registration: true });
  const made = await must(root, 'an administrator').call('POST', '/site/app_ids', { name: 'Phones' });
  const { appid } = made.body as { appid: string };
  expect(await register('21@example.com', 'fr, de-AT;q=0.8')).toBe('de');
  expect(await register('22@example.com', 'fr')).toBe('en');
  await changeSite(server.services, { public_registration: false });
});
