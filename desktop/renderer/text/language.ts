import { must } from '#shared/must.ts';
import { translate } from '#shared/text/message.ts';
import { pseudoLocale } from '#shared/text/pseudo-locale.ts';

import { app, difficulty, loss, status, unit } from './de/app.ts';
import { signIn } from './de/sign-in.ts';

/** Parts of the app that have texts. */
export type AreaName =
  | 'account'
  | 'accountAdmin'
  | 'activity'
  | 'administration'
  | 'app'
  | 'approvals'
  | 'archives'
  | 'audit'
  | 'board'
  | 'camera'
  | 'bullets'
  | 'comments'
  | 'conflict'
  | 'course'
  | 'crop'
  | 'designer'
  | 'deviation'
  | 'difficulty'
  | 'editor'
  | 'enrol'
  | 'feedback'
  | 'followUp'
  | 'history'
  | 'jobs'
  | 'library'
  | 'loss'
  | 'mailLanguage'
  | 'module'
  | 'offline'
  | 'orderHistory'
  | 'pages'
  | 'palette'
  | 'people'
  | 'planned'
  | 'player'
  | 'quiz'
  | 'record'
  | 'redeem'
  | 'report'
  | 'revision'
  | 'secondPerson'
  | 'serverStatus'
  | 'setting'
  | 'settingChoice'
  | 'settingGroup'
  | 'settings'
  | 'settingSection'
  | 'setup'
  | 'shift'
  | 'shiftWords'
  | 'signIn'
  | 'site'
  | 'station'
  | 'stationAdmin'
  | 'teamAdmin'
  | 'stationHome'
  | 'status'
  | 'sync'
  | 'tracing'
  | 'training'
  | 'unit'
  | 'unlock'
  | 'updates'
  | 'workOrder';

/** Languages that people choose. `system`: that of the browser or the computer. */
export const languages = ['system', 'en', 'de'] as const;
export type Language = (typeof languages)[number];

const key = 'benchbook.language';

let locale: 'en' | 'de' | typeof pseudoLocale = 'en';
let refused: (sentence: string, code?: string) => string = (sentence) => sentence;
let translated: (area: AreaName, english: unknown) => unknown = (_area, english) => english;

/** The language of the screens, as a BCP 47 tag. */
export function currentLocale(): string {
  return locale;
}

/** The language for dates and numbers: the pseudo-locale has those of English. */
export function formatLocale(): 'en' | 'de' {
  return locale === 'de' ? 'de' : 'en';
}

/** What was chosen on this device. */
export function chosenLanguage(): Language {
  return languages.find((one) => one === localStorage.getItem(key)) ?? 'system';
}

/** Stores the language. The screens have it once the page is loaded again. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(key, language);
}

/** The German texts of the first screen. They are few, so its code has them: nobody waits for a file more. */
const firstGerman: GermanTexts = { app, difficulty, loss, signIn, status, unit };

type GermanTexts = Readonly<Partial<Record<AreaName, object>>>;

function speakGerman(texts: GermanTexts): void {
  translated = (area, english) => translate(english, must(texts[area], `the German texts of ${area}`), 'de');
}

/**
 * Chooses the language of the screens, and loads what the first screen says. Modules with texts are imported after this,
 * and so are those that use them: they read their texts once.
 *
 * - LANGUAGE-1 A person reads the app in the language that was chosen on this device, or else in the first one of the
 *   browser's or computer's that the app has, or else in English.
 */
export async function loadLanguage(): Promise<void> {
  const stored = localStorage.getItem(key);
  const wanted = stored === pseudoLocale ? pseudoLocale : firstKnown([stored ?? '', ...navigator.languages]);
  if (wanted === 'de') speakGerman(firstGerman);
  if (wanted === pseudoLocale) {
    const { pseudoTranslation } = await import('#shared/text/pseudo.ts');
    translated = (_area, english) => translate(english, pseudoTranslation(english), 'en');
  }
  locale = wanted;
  document.documentElement.lang = locale;
}

/**
 * Loads the texts of all other screens. To be called before one of their modules is imported. Rejects if the file cannot
 * be loaded.
 */
export async function loadAllTexts(): Promise<void> {
  if (locale !== 'de') return;
  const { german, germanRefusal } = await import('./de.ts');
  speakGerman(german);
  refused = germanRefusal;
}

function firstKnown(wanted: readonly string[]): 'en' | 'de' {
  const tag = wanted.find((one) => /^(en|de)\b/i.test(one));
  return tag?.toLowerCase().startsWith('de') === true ? 'de' : 'en';
}

/**
 * The texts of an area in the language of the screens. `english`: has its type, and is used as it is in English.
 *
 * - LANGUAGE-2 Every text has a German one, which says “Sie” and has the quotation marks of German.
 * - LANGUAGE-3 A German message has the values of the English one.
 */
export function inLanguage<Catalog>(area: AreaName, english: Catalog): Catalog;
export function inLanguage(area: AreaName, english: unknown): unknown {
  return translated(area, english);
}

/**
 * What the server, or the engine, refuses with or reports, in the language of the screens.
 *
 * - LANGUAGE-11 Refusals are sentences in English, which programs and people read. In German the app shows their German, or
 *   that of their code if it does not know the sentence.
 * - LANGUAGE-13 In German the app shows the German of what archives, jobs, backups and the checks of a server report, too,
 *   and of what keeps a mail server from taking a mail.
 *
 * `sentence`: in English; `code`: that of the refusal, if it has one.
 */
export function refusedWords(sentence: string, code?: string): string {
  return refused(sentence, code);
}
