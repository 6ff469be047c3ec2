import { isIP } from 'node:net';

/** How much of oversized headers is read: a browser keeps up to 180 cookies of 4 KB per host. */
const mostBytes = 1024 * 1024;
/** How much is kept while they arrive: only names. */
const mostOfNames = 32 * 1024;
/** Browsers take answers with headers of 256 KB. */
const mostOfAnswer = 160 * 1024;
/** Maximum length of a cookie. */
const mostOfCookie = 4200;

/** Finds the names of cookies in headers that are too large to be parsed, as they arrive. */
export class LargeHeaders {
  readonly #names = new Set<string>();
  #seen = 0;
  #kept = 0;
  /** The beginning of an incomplete line; of cookies, the last one. */
  #rest: string | null = null;
  #path = '/';
  #host = '';
  #isProxied = false;
  #isWhole = false;

  /** Whether to stop reading: they ended, or are too long. */
  get isDone(): boolean {
    return this.#isWhole || this.#seen > mostBytes;
  }

  /** Takes the next piece, in Latin 1. Anything before the first piece may be lost. */
  add(piece: string): void {
    this.#seen += piece.length;
    this.#rest ??= /^[A-Z]+ \S/.test(piece) ? '' : 'Cookie:';
    const lines = (this.#rest + piece).split('\r\n');
    const last = lines.pop() ?? '';
    for (const line of lines) this.#readLine(line);
    this.#rest = /^cookie:/i.test(last) ? this.#readCookies(last) : last.slice(0, 300);
  }

  /**
   * `Set-Cookie` lines that delete the cookies found, at every path and domain they can have come from. None if a proxy
   * forwards the request: many proxies refuse answers with large headers.
   */
  expiry(): string[] {
    if (this.#isProxied) return [];
    const places = [...pathsOf(this.#path)].flatMap((path) =>
      domainsOf(this.#host).map((domain) => `Path=${path}${domain === '' ? '' : `; Domain=${domain}`}`),
    );
    const lines: string[] = [];
    let length = 0;
    // One cookie at a time, so that fewer are left for the next request if not all fit.
    for (const name of ['', ...this.#names])
      for (const place of places) {
        const line = `${name}=x; Max-Age=0; ${place}`;
        length += line.length + 14;
        if (length > mostOfAnswer) return lines;
        lines.push(line);
      }
    return lines;
  }

  #readLine(line: string): void {
    if (line === '') this.#isWhole = true;
    if (/^cookie:/i.test(line)) this.#readCookies(`${line};`);
    if (/^(?:x-forwarded-|forwarded:|via:)/i.test(line)) this.#isProxied = true;
    this.#path = /^[A-Z]+ (\/[^?#\s;]*)/.exec(line)?.[1] ?? this.#path;
    this.#host = /^host:\s*([\w.-]+)/i.exec(line)?.[1] ?? this.#host;
  }

  /** Returns the beginning of the next cookie. */
  #readCookies(line: string): string {
    const pairs = line.slice('Cookie:'.length).split(';');
    const last = pairs.pop() ?? '';
    for (const pair of pairs) {
      const name = pair.includes('=') ? pair.slice(0, pair.indexOf('=')).trim() : '';
      // Cookies have no control characters; nor may a header of the answer.
      if (/[^\x20-\x7e\x80-\xff]/.test(name) || this.#kept + name.length > mostOfNames) continue;
      if (!this.#names.has(name)) this.#kept += name.length;
      this.#names.add(name);
    }
    return `Cookie:${last.slice(0, mostOfCookie)}`;
  }
}

/** Paths of cookies that are sent to a path: of each folder above it, with a slash at the end and without. */
function pathsOf(path: string): Set<string> {
  const parts = path.split('/').slice(1, 7);
  const folders = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
  return new Set(['/', ...folders.flatMap((one) => [one, one.endsWith('/') ? one : `${one}/`])]);
}

/** Domains of cookies that are sent to a host, the host alone first (''). A page can set none of a top domain. */
function domainsOf(host: string): string[] {
  const labels = host.split('.');
  if (isIP(host) !== 0 || labels.length < 2) return [''];
  return ['', ...labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))].slice(0, 5);
}
