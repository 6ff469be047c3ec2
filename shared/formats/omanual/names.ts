import type { DocumentRef } from '#shared/model/guide.ts';

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'video/ogg': 'ogv',
  'application/pdf': 'pdf',
};

/** Longest part of a name that comes from a title, in characters. */
const longest = 60;

/** Folder of a guide, with a slash: its title with `-` for what is no letter or digit, and its number. */
export function guideFolder({ guideid, title }: { guideid: number; title: string }): string {
  return `${slug(title) || 'guide'}-${guideid}/`;
}

/** Letters and digits of a text, joined by `-`. */
export function slug(text: string): string {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  return Array.from(words.join('-')).slice(0, longest).join('').replace(/-$/, '');
}

/** A guid or the like as a part of a file name that every system takes. */
export function plainName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, longest) || 'file';
}

/** Ending of a file by what it is, with the dot; `otherwise` for what we have no ending for. */
export function extensionOf(mime: string, otherwise = 'bin'): string {
  return `.${extensions[mime] ?? plainName(otherwise.toLowerCase())}`;
}

/** Name of a document for people, with its ending once. */
export function documentName({ text, extension }: Pick<DocumentRef, 'text' | 'extension'>): string {
  const ending = `.${extension}`;
  return extension === '' || text.toLowerCase().endsWith(ending.toLowerCase()) ? text : text + ending;
}

/** Hands out names of one folder, each once, also where a system does not tell upper from lower case. */
export class NameBook {
  readonly #taken = new Set<string>();

  /** `stem` with `ending`, numbered from 2 on if that is taken. */
  take(stem: string, ending: string): string {
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? stem + ending : `${stem}-${count}${ending}`;
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }
}
