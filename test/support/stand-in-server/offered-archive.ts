import { createHash } from 'node:crypto';

/** An archive that the stand-in server offers. Tests cut its download, change its bytes and read who asked for it. */
export class OfferedArchive {
  readonly asked: { path: string; range: string | null; ifRange: string | null }[] = [];
  /** Bytes after which a response breaks off; null: it is complete. */
  cutAt: number | null = null;
  /** The response arrives in pieces of this size; Infinity: in one piece. */
  pieces = Number.POSITIVE_INFINITY;
  /** After the cut nothing arrives, without an error. */
  isStuck = false;
  /** The header that identifies a version of the file. */
  version: 'etag' | 'last-modified' = 'etag';
  /** The served bytes; by default the offered ones. */
  served: Uint8Array<ArrayBuffer>;
  offered: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.offered = bytes;
    this.served = bytes;
  }

  get hash(): string {
    return createHash('sha256').update(this.offered).digest('hex');
  }

  /** The record of the archive. `origin`: the server's address. */
  record(origin: string): object {
    const { hash, offered } = this;
    return {
      name: 'shop',
      title: 'Workshop',
      category: 'Workshop',
      state: 'ready',
      progress: null,
      error: null,
      size: offered.length,
      date: 1_767_230_000,
      guides: 2,
      hash,
      url: `${origin}/api/2.0/omanual/shop.omanual?hash=${hash}`,
    };
  }

  /** Notes that a device asked for the file. */
  note(url: URL, headers: Headers): void {
    const [range, ifRange] = [headers.get('range'), headers.get('if-range')];
    this.asked.push({ path: url.pathname + url.search, range, ifRange });
  }

  /** The file, or the range of it that a device asks for. */
  file(headers: Headers): Response {
    const [range, ifRange] = [headers.get('range'), headers.get('if-range')];
    const validators = {
      etag: `"${createHash('sha256').update(this.served).digest('hex')}"`,
      'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
    };
    const validator = validators[this.version];
    const from = range === null || ifRange !== validator ? 0 : Number(/bytes=(\d+)-/.exec(range)?.[1]);
    const rest = this.served.subarray(from);
    const size = this.served.length;
    return new Response(this.#arriving(rest), {
      status: from === 0 ? 200 : 206,
      headers: {
        [this.version]: validator,
        date: 'Sun, 01 Feb 2026 00:00:00 GMT',
        'content-length': String(rest.length),
        ...(from > 0 && { 'content-range': `bytes ${from}-${size - 1}/${size}` }),
      },
    });
  }

  /** The bytes as they arrive. */
  #arriving(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
    const cut = this.cutAt;
    const part = bytes.subarray(0, cut ?? bytes.length);
    let at = 0;
    return new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (at < part.length) controller.enqueue(part.slice(at, (at += Math.min(this.pieces, part.length))));
        else if (cut === null) controller.close();
        else if (this.isStuck) return new Promise(() => undefined);
        else controller.error(new TypeError('cut'));
        return undefined;
      },
    });
  }
}
