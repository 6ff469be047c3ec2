import type { MediaBytes, MediaRef } from '#shared/formats/omanual/content.ts';
import type { ByteSink } from '#shared/formats/omanual/source.ts';

import type { Html } from '#shared/html.ts';

/** Bytes that are encoded as base64 at a time; divisible by three, so that the pieces can be joined. */
const piece = 3 << 14;

/**
 * Writes HTML piece by piece.
 * - PRINT-3 No page and no picture is in memory as a whole. A picture whose bytes are not available is replaced by a
 *   notice and counted.
 */
export class PageWriter {
  readonly #sink: ByteSink;
  readonly #media: (ref: MediaRef) => Promise<MediaBytes | null>;
  #bytes = 0;
  #pictures = 0;
  #missing = 0;

  constructor(sink: ByteSink, media: (ref: MediaRef) => Promise<MediaBytes | null>) {
    this.#sink = sink;
    this.#media = media;
  }

  /** The size of the page in bytes, the number of its pictures, and the number of missing pictures. */
  get report(): { bytes: number; pictures: number; missing: number } {
    return { bytes: this.#bytes, pictures: this.#pictures, missing: this.#missing };
  }

  async write(...parts: Html[]): Promise<void> {
    for (const { text } of parts) await this.#put(text);
  }

  /** Writes the style element; `style` must not contain an end tag (`pageStyle` does not). */
  async style(style: string): Promise<void> {
    await this.#put(`<style>${style}</style>`);
  }

  /**
   * Writes a picture as a data address between `before` and `after`; writes `instead` when its bytes are not available.
   */
  async picture(ref: MediaRef, before: Html, after: Html, instead: Html): Promise<void> {
    const found = await this.#media(ref);
    if (found === null || !/^image\/[\w.+-]+$/.test(found.mime)) {
      this.#missing += 1;
      await this.write(instead);
      return;
    }
    this.#pictures += 1;
    await this.#put(`${before.text}data:${found.mime};base64,`);
    await this.#base64(found);
    await this.write(after);
  }

  async #base64(media: MediaBytes): Promise<void> {
    let rest = new Uint8Array(0);
    for await (const chunk of await media.open()) {
      const bytes = rest.length === 0 ? chunk : joined(rest, chunk);
      const whole = bytes.length - (bytes.length % 3);
      for (let at = 0; at < whole; at += piece)
        await this.#put(base64(bytes.subarray(at, Math.min(at + piece, whole))));
      rest = bytes.slice(whole);
    }
    await this.#put(base64(rest));
  }

  async #put(text: string): Promise<void> {
    if (text === '') return;
    const bytes = new TextEncoder().encode(text);
    this.#bytes += bytes.length;
    await this.#sink.write(bytes);
  }
}

/** Encodes bytes as base64. */
export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x2000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  }
  return btoa(binary);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
