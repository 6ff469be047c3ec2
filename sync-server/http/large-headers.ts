import { isIP } from 'node:net';

/** Maximum number of bytes read of oversized headers: a browser stores up to 180 cookies of 4 KB per host. */
const mostBytes = 1024 * 1024;
/** Maximum size of the collected names. */
const mostOfNames = 32 * 1024;
/** Maximum size of the `Set-Cookie` lines. Browsers accept headers of 256 KB. */
const mostOfAnswer = 160 * 1024;
/** Maximum length of a cookie. */
const mostOfCookie = 4200;

/**
 * Collects the names of cookies from headers that are too large to be parsed, as they arrive.
 *
 * - INPUT-28 Headers can become too large through cookies that another program on this host set. The answer is then
 *   431, which deletes them: over plain HTTP with a `Set-Cookie` with `Max-Age=0` for each name received, at every
 *   path and domain above the address; over TLS, and if a proxy forwards the request, with `Clear-Site-Data`. The next
 *   request succeeds. What can remain: more cookies than fit into an answer of 160 KB (this takes a few more
 *   requests), cookies of a plain HTTP site behind a proxy, and cookies that the browser does not let the server
 *   delete (cookies of a domain that has more than four names). The server itself uses no cookies. A proxy in front
 *   has limits of its own: let it pass at least 16 KB of headers, and answer as the server does.
 */
export class LargeHeaders {
  readonly #names = new Set<string>();
  #received = 0;
  #namesLength = 0;
  /** The beginning of an incomplete line; of a cookie header, its last cookie. */
  #rest: string | null = null;
  #path = '/';
  #host = '';
  #isProxied = false;
  #isWhole = false;

  /** Whether to stop reading: the headers ended, or are too long. */
  get isDone(): boolean {
    return this.#isWhole || this.#received > mostBytes;
  }

  /** Adds the next piece, in Latin 1. What was sent before the first piece may be missing. */
  add(piece: string): void {
    this.#received += piece.length;
    this.#rest ??= /^[A-Z]+ \S/.test(piece) ? '' : 'Cookie:';
    const lines = (this.#rest + piece).split('\r\n');
    const last = lines.pop() ?? '';
    for (const line of lines) this.#readLine(line);
    this.#rest = /^cookie:/i.test(last) ? this.#readCookies(last) : last.slice(0, 300);
  }

  /**
   * `Set-Cookie` lines that delete the cookies found, for every path and domain that they can belong to. Empty if a
   * proxy forwards the request, because many proxies refuse responses with large headers.
   */
  expiry(): string[] {
    if (this.#isProxied) return [];
    const scopes = [...pathsOf(this.#path)].flatMap((path) =>
      domainsOf(this.#host).map((domain) => `Path=${path}${domain === '' ? '' : `; Domain=${domain}`}`),
    );
    const lines: string[] = [];
    let length = 0;
    // All lines of one cookie before the next, so that each response deletes some cookies completely if not all fit.
    for (const name of ['', ...this.#names])
      for (const scope of scopes) {
        const line = `${name}=x; Max-Age=0; ${scope}`;
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
      // Control characters are valid neither in cookies nor in headers of the response.
      if (/[^\x20-\x7e\x80-\xff]/.test(name) || this.#namesLength + name.length > mostOfNames) continue;
      if (!this.#names.has(name)) this.#namesLength += name.length;
      this.#names.add(name);
    }
    return `Cookie:${last.slice(0, mostOfCookie)}`;
  }
}

/** Paths of cookies that a browser sends to `path`: each folder above it, with and without a trailing slash. */
function pathsOf(path: string): Set<string> {
  const parts = path.split('/').slice(1, 7);
  const folders = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
  return new Set(['/', ...folders.flatMap((one) => [one, one.endsWith('/') ? one : `${one}/`])]);
}

/**
 * Domains of cookies that a browser sends to `host`; '' is the host itself. Pages cannot set cookies of a top-level
 * domain.
 */
function domainsOf(host: string): string[] {
  const labels = host.split('.');
  if (isIP(host) !== 0 || labels.length < 2) return [''];
  return ['', ...labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))].slice(0, 5);
}
