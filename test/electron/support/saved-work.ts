import type { Page } from 'playwright-core';

/** What a screen showed at one moment. */
export interface Shown {
  /** The text of the field. */
  text: string;
  /** Whether the screen said that the text is saved. */
  isSaved: boolean;
}

/** Reads the field with this label, and what the screen says. Rejects when the process of the page has ended. */
export function shownBy(page: Page, label: string): Promise<Shown> {
  return page.evaluate((name) => {
    const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')];
    const field = fields.find(({ labels }) =>
      [...(labels ?? [])].some(({ textContent }) => textContent.startsWith(name)),
    );
    const says = [...document.querySelectorAll('[role=status]')].map((one) => one.textContent.trim());
    return {
      text: field?.value ?? '',
      isSaved:
        field !== undefined && says.some((words) => /^(Saved on this device|On the server)/.test(words)),
    };
  }, label);
}

/**
 * What a person typed into one field, and what the screen called saved. It is outside of the app, so nothing that
 * happens to the app changes it.
 */
export class Ledger {
  /** All texts of the field in order. */
  readonly #texts: string[];
  #saved = 0;
  /** How often another text was called saved. */
  savings = 0;

  constructor(first: string) {
    this.#texts = [first];
  }

  /** The text that was called saved last. */
  get saved(): string {
    return this.#texts[this.#saved] ?? '';
  }

  /** The person clears the field and types `words`, letter by letter. */
  types(words: string): void {
    this.#texts.push('', ...Array.from(words, (_, index) => words.slice(0, index + 1)));
  }

  note({ text, isSaved }: Shown): void {
    const found = isSaved ? this.#texts.lastIndexOf(text) : -1;
    if (found <= this.#saved) return;
    this.#saved = found;
    this.savings += 1;
  }

  /** Whether this is the text that was called saved last, or a later one. */
  accepts(text: string): boolean {
    return this.#texts.lastIndexOf(text) >= this.#saved;
  }

  /** The app came back with this text. */
  continueWith(text: string): void {
    this.#saved = this.#texts.lastIndexOf(text);
    this.#texts.length = this.#saved + 1;
  }
}
