/** The pictures, documents and videos that records name; `has` tells whether a key of the media cache is among them. */
export class NamedMedia {
  readonly #named = new Set<string>();

  /** Takes a record as JSON. */
  note(text: string): void {
    for (const [, guid = '', video = ''] of text.matchAll(/"guid":"([^"]+)"|"videoid":(\d+)/g))
      this.#named.add(guid === '' ? `video:${video}` : guid);
  }

  has(key: string): boolean {
    const [kind, rest = ''] = key.split(/:(.*)/s);
    if (kind === 'video') return this.#named.has(key);
    return this.#named.has(kind === 'picture' ? rest.replace(/\.\w+$/, '') : rest);
  }
}
