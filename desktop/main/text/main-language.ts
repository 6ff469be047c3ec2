import { readFileSync, writeFileSync } from 'node:fs';

import { z } from 'zod';

import { mainLanguage } from '#desktop/ipc.ts';
import { translate } from '#shared/text/message.ts';

import type { IpcHandlers } from '../ipc.ts';
import { german } from './de.ts';
import { mainTexts } from './en.ts';

export type MainTexts = typeof mainTexts;

interface LanguageOptions {
  /** Path of the file that keeps the language of the page. */
  file: string;
  /** The languages of the system, the preferred one first. */
  system: () => readonly string[];
  /** Called when the language has changed. */
  changed: () => void;
  /** Writes one line to the log. */
  report: (line: string) => void;
}

type TextLanguage = z.output<typeof mainLanguage>;

const stored = z.object({ language: mainLanguage });
const catalogs: Readonly<Record<TextLanguage, MainTexts>> = {
  en: mainTexts,
  de: translate(mainTexts, german, 'de'),
};

/**
 * The language of the main process.
 *
 * - LANGUAGE-7 The program speaks the language of its page, also at the next start before there is one, and that of the
 *   system before the first.
 */
export class MainLanguage {
  readonly #options: LanguageOptions;
  #language: TextLanguage;

  constructor(options: LanguageOptions) {
    this.#options = options;
    this.#language = readStored(options.file) ?? systemLanguage(options.system());
  }

  get language(): TextLanguage {
    return this.#language;
  }

  get texts(): MainTexts {
    return catalogs[this.#language];
  }

  readonly handlers: Pick<IpcHandlers, 'useLanguage'> = {
    useLanguage: async (language) => {
      const isNew = language !== this.#language;
      this.#language = language;
      if (isNew || readStored(this.#options.file) === null) this.#store(language);
      if (isNew) this.#options.changed();
      return undefined;
    },
  };

  #store(language: TextLanguage): void {
    try {
      writeFileSync(this.#options.file, JSON.stringify({ language } satisfies z.output<typeof stored>));
    } catch (error) {
      // The page says it again at the next start.
      this.#options.report(`language: ${String(error)}`);
    }
  }
}

function readStored(file: string): TextLanguage | null {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8'))).language;
  } catch {
    return null;
  }
}

function systemLanguage(tags: readonly string[]): TextLanguage {
  const tag = tags.find((one) => /^(en|de)\b/i.test(one));
  return tag?.toLowerCase().startsWith('de') === true ? 'de' : 'en';
}
