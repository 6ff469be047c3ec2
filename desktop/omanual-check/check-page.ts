import type { CheckLine } from '#shared/formats/omanual/check.ts';

import { element, type Child } from './element.ts';
import { groupsOf, type Group } from './groups.ts';
import { runCheck, type Outcome } from './run-check.ts';
import type { Checked } from './worker.ts';
import type { Words } from './words.ts';

/** Sentences of a problem, and places of a sentence, that are shown at once; the others can be unfolded. */
const shownAtOnce = 5;

type Verdict = keyof Words['verdicts'];

/** SVG paths of the verdicts, in a box of 24 by 24. */
const icons: Readonly<Record<Verdict, string>> = {
  valid: 'M20 6 9 17l-5-5',
  advice: 'M12 16v-4m0-4h.01M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19z',
  invalid: 'M18 6 6 18M6 6l12 12',
  unfinished: 'M12 7v5l3 2M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19z',
};

/**
 * The page `/omanual/check`, which checks a file of the reader's.
 *
 * - CHECK-PAGE-1 The file is read in the browser. After the page has loaded it makes no request, and its policy allows
 *   none.
 * - CHECK-PAGE-2 A problem is explained in plain words, with what to do about it and each place; problems of one kind
 *   stand together, errors first.
 * - CHECK-PAGE-3 The check runs in a worker that ends after its time, or when the reader stops it. The page says so.
 * - CHECK-PAGE-4 Everything can be done by keyboard, and the verdict gets the focus. The page is in English or German
 *   and fits a phone.
 */
export class CheckPage {
  readonly #main: HTMLElement;
  readonly #words: Words;
  readonly #result = element('section', { 'aria-live': 'polite', class: 'result' });
  #running: AbortController | null = null;

  constructor(main: HTMLElement, words: Words) {
    this.#main = main;
    this.#words = words;
  }

  open(): void {
    const words = this.#words;
    document.documentElement.lang = words.locale;
    document.title = `${words.title} – Benchbook`;
    const input = element('input', { type: 'file', id: 'file', accept: '.omanual,.zip,.xml' });
    input.addEventListener('change', () => {
      this.#take(Array.from(input.files ?? []));
      // So that the same file can be chosen again after it was mended.
      input.value = '';
    });
    const zone = element('div', { class: 'drop' }, [
      element('p', {}, [words.drop]),
      element('label', { for: 'file', class: 'button primary' }, [words.choose]),
      input,
      element('p', { class: 'quiet' }, [words.limits]),
    ]);
    this.#listen(zone);
    this.#main.replaceChildren(
      element('h1', {}, [words.title]),
      element('p', { class: 'lead' }, [words.lead]),
      zone,
      this.#result,
      element('footer', {}, [
        element('p', {}, [words.commandLine]),
        element('pre', {}, [element('code', {}, ['npx benchbook omanual check FILE…'])]),
      ]),
    );
  }

  /** Files may be dropped anywhere; otherwise the browser would open one that misses the zone. */
  #listen(zone: HTMLElement): void {
    for (const name of ['dragover', 'drop', 'dragleave'] as const)
      addEventListener(name, (event) => {
        event.preventDefault();
        zone.classList.toggle('over', name === 'dragover');
      });
    addEventListener('drop', ({ dataTransfer }) => this.#take(Array.from(dataTransfer?.files ?? [])));
  }

  #take(files: readonly File[]): void {
    const [file] = files;
    if (file === undefined) return;
    const note = files.length > 1 ? this.#words.one(file.name) : '';
    void this.#check(file, note);
  }

  async #check(file: File, note: string): Promise<void> {
    const { checking, stop } = this.#words;
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const button = element('button', { type: 'button', class: 'button' }, [stop]);
    button.addEventListener('click', () => running.abort());
    this.#result.replaceChildren(
      element('div', { class: 'card busy' }, [
        element('p', {}, [checking(file.name)]),
        element('progress', { 'aria-label': checking(file.name) }),
        button,
      ]),
    );
    const outcome = await outcomeOf(file, running.signal);
    // Another file was chosen meanwhile.
    if (this.#running !== running) return;
    this.#running = null;
    this.#show(file.name, note, outcome);
  }

  /** `outcome`: null if the file cannot be read. */
  #show(name: string, note: string, outcome: Outcome | null): void {
    const words = this.#words;
    const verdict = verdictOf(outcome);
    const heading = element('h2', { tabindex: '-1' }, [icon(icons[verdict]), words.verdicts[verdict]]);
    const about: Child[] = [element('p', { class: 'name' }, [name])];
    if (outcome === null || !outcome.ok) about.push(element('p', {}, [this.#failure(outcome)]));
    else about.push(...this.#summary(outcome, verdict));
    if (note !== '') about.push(element('p', { class: 'quiet' }, [note]));
    const groups = outcome?.ok === true ? groupsOf(outcome.lines, words.problems) : [];
    this.#result.replaceChildren(
      element('div', { class: `card verdict ${verdict}` }, [heading, ...about]),
      ...groups.map((group) => this.#group(group)),
    );
    heading.focus();
  }

  #failure(outcome: Exclude<Outcome, { ok: true }> | null): string {
    const words = this.#words;
    if (outcome === null) return words.unreadable;
    if (outcome.reason === 'late') return words.late;
    return outcome.reason === 'stopped' ? words.stopped : words.failed(outcome.reason);
  }

  #summary({ contents, isMore, lines }: Extract<Checked, { ok: true }>, verdict: Verdict): Child[] {
    const words = this.#words;
    const parts: Child[] = verdict === 'unfinished' ? [] : [element('p', {}, [words.explained[verdict]])];
    if (contents !== null) {
      const { version, guides, categories } = contents;
      parts.push(element('p', { class: 'quiet' }, [words.contents(version, guides, categories)]));
    }
    if (isMore) parts.push(element('p', {}, [words.more(lines.length)]));
    return parts;
  }

  #group({ rank, code, what, toDo, sentences }: Group): HTMLElement {
    const words = this.#words;
    const label = rank === 'error' ? words.error : words.advice;
    const items = sentences.map(({ message, lines }) =>
      element('li', {}, [element('p', {}, [words.sentence(message)]), ...this.#places(lines)]),
    );
    const advice = toDo === '' ? [] : [element('p', {}, [element('b', {}, [`${words.toDo}: `]), toDo])];
    return element('section', { class: `card problem ${rank}` }, [
      element('h3', {}, [element('span', { class: 'badge' }, [label]), what === '' ? code : what]),
      ...listed(items, words),
      ...advice,
    ]);
  }

  /** The places of a sentence, the first ones at once and the others to unfold. */
  #places(lines: readonly CheckLine[]): HTMLElement[] {
    const items = lines.map(({ member, place }) => {
      const where = [member, place].filter(Boolean).join(' · ');
      return element('li', { class: 'where' }, [where === '' ? this.#words.package : where]);
    });
    return listed(items, this.#words);
  }
}

/** A list of which the first items are shown at once and the others can be unfolded. */
function listed(items: readonly HTMLElement[], words: Words): HTMLElement[] {
  const rest = items.slice(shownAtOnce);
  const shown = element('ul', {}, items.slice(0, shownAtOnce));
  if (rest.length === 0) return [shown];
  const summary = element('summary', {}, [`+ ${words.places(rest.length)}`]);
  return [shown, element('details', {}, [summary, element('ul', {}, rest)])];
}

function verdictOf(outcome: Outcome | null): Verdict {
  if (outcome === null || !outcome.ok) return 'unfinished';
  if (outcome.lines.some(({ rank }) => rank === 'error')) return 'invalid';
  return outcome.lines.length > 0 ? 'advice' : 'valid';
}

/** Whether the browser can read the file: folders and removed files look like files until then. */
/** Checks a file; null if it cannot be read, or no longer. */
async function outcomeOf(file: File, signal: AbortSignal): Promise<Outcome | null> {
  if (!(await isReadable(file))) return null;
  const outcome = await runCheck(file, signal);
  if (outcome.ok || outcome.reason === 'late' || outcome.reason === 'stopped') return outcome;
  return (await isReadable(file)) ? outcome : null;
}

async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

function icon(path: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}
