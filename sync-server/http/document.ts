import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

import { namesTag } from './etag.ts';
import { apiPrefix } from './mount.ts';

const documentUrl = `${apiPrefix}/openapi.json`;
const pageUrl = `${apiPrefix}/doc`;
const scriptUrl = `${pageUrl}/js/scalar.js`;

/** A text that is made once and sent with an ETag, compressed if the client accepts it. */
class Asset {
  readonly #text: string;
  readonly #type: string;
  readonly #etag: string;
  #gzipped: Buffer | undefined;
  constructor(text: string, type: string) {
    this.#text = text;
    this.#type = type;
    this.#etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  }

  send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.headers({
      ETag: this.#etag,
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding, Origin',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    });
    if (namesTag(request.headers['if-none-match'], this.#etag)) return reply.status(304).send();
    reply.type(this.#type);
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(this.#text);
    this.#gzipped ??= gzipSync(this.#text);
    return reply.header('Content-Encoding', 'gzip').send(this.#gzipped);
  }
}

interface Page {
  html: Asset;
  script: Asset;
  contentSecurityPolicy: string;
}

/** Serves the OpenAPI document and a page that shows it. Both are made on the first request. */
export function mountDocument(app: FastifyInstance, make: () => object): void {
  let document: Asset | undefined;
  let page: Promise<Page> | undefined;
  app.get(documentUrl, (request, reply) => {
    document ??= new Asset(JSON.stringify(make()), 'application/json; charset=utf-8');
    return document.send(request, reply);
  });
  app.get(pageUrl, async (request, reply) => {
    page ??= renderPage();
    const { html, contentSecurityPolicy } = await page;
    return html.send(request, reply.header('Content-Security-Policy', contentSecurityPolicy));
  });
  app.get(scriptUrl, async (request, reply) => {
    page ??= renderPage();
    return (await page).script.send(request, reply);
  });
}

/**
 * The page of the API reference plugin, configured to load nothing from other servers: no fonts, scripts or telemetry.
 */
async function renderPage(): Promise<Page> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const inner = fastify({ routerOptions: { ignoreTrailingSlash: true } });
  await inner.register(reference, {
    routePrefix: pageUrl,
    configuration: {
      url: documentUrl,
      cdn: scriptUrl,
      pageTitle: 'API 2.0',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      // Instead of its own samples, which know no `api ` before the token, those of the document.
      hiddenClients: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      documentDownloadType: 'json',
    },
  });
  // The plugin redirects requests without the trailing slash.
  const html = (await inner.inject(`${pageUrl}/`)).body
    .replace('<html>', '<html lang="en">')
    .replace('</title>', '</title>\n    <link rel="icon" href="data:,">');
  const script = (await inner.inject(scriptUrl)).body;
  await inner.close();
  return {
    html: new Asset(html, 'text/html; charset=utf-8'),
    script: new Asset(script, 'text/javascript; charset=utf-8'),
    contentSecurityPolicy: policyFor(html),
  };
}

/** Allows the page's own and inline scripts. The reference writes its styles into the page. */
function policyFor(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
