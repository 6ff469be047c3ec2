import type { DocumentRef } from '#shared/model/guide.ts';

const extensions: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/svg+xml', 'svg'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
  ['video/quicktime', 'mov'],
  ['video/ogg', 'ogv'],
  ['application/pdf', 'pdf'],
]);

/** Maximum length of a part of a name, in characters. */
const longest = 60;

/** The folder of a guide, with a slash: the words of its title joined by `-`, and its number. */
export function guideFolder({ guideid, title }: { guideid: number; title: string }): string {
  return `${slug(title) || 'guide'}-${guideid}/`;
}

/** The words of a text, joined by `-`. */
export function slug(text: string): string {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  return Array.from(words.join('-')).slice(0, longest).join('').replace(/-$/, '');
}

/** A text as part of a file name that is valid on every system. */
export function plainName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, longest) || 'file';
}

/** Characters that a terminal obeys or that turn the direction of writing. */
// oxlint-disable-next-line no-control-regex -- names from files can have them
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text on one line, in which control characters and those that turn the direction of writing are written as `\u001b`. */
export function visibleText(text: string): string {
  return text.replaceAll(unseen, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The extension of a media type, with the dot; `otherwise` for unknown types. */
export function extensionOf(mime: string, otherwise = 'bin'): string {
  return `.${extensions.get(mime) ?? plainName(otherwise.toLowerCase())}`;
}

/** The name of a document for people, with its extension once. */
export function documentName({ text, extension }: Pick<DocumentRef, 'text' | 'extension'>): string {
  const ending = `.${extension}`;
  return extension === '' || text.toLowerCase().endsWith(ending.toLowerCase()) ? text : text + ending;
}

/** Gives out unique file names of one folder, ignoring letter case. */
export class NameBook {
  readonly #taken = new Set<string>();

  /** `stem` with `ending`, numbered from 2 on if the name is taken. */
  take(stem: string, ending: string): string {
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? stem + ending : `${stem}-${count}${ending}`;
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }
}
