import { escapeHtml } from '#shared/html.ts';

import { nodesText, printable, type PageElement, type PageNode } from './page-nodes.ts';

const blocks = new Set('article nav h1 h2 h3 h4 h5 h6 p ul ol li pre blockquote'.split(' '));
const empty = new Set(['br', 'img']);

/** The style of the page: readable on screens and paper, light and dark. */
const style = `:root{color-scheme:light dark}
body{font:1.0625rem/1.55 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1.25rem;overflow-wrap:anywhere}
h1,h2,h3{line-height:1.25}h2{margin-top:2.25rem}img{max-width:100%;max-height:24rem;vertical-align:top}
pre{white-space:pre-wrap}blockquote{margin-inline:0;padding-inline-start:1rem;border-inline-start:3px solid}
article+article{margin-top:4rem;border-top:1px solid}
@media print{article+article{break-before:page;border:0}h2,img{break-after:avoid}li{break-inside:avoid}}`;

/** The start of a page. Its policy lets a browser load nothing but the pictures inside and run nothing. */
export async function pageStart(title: string, language: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)));
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${btoa(String.fromCharCode(...digest))}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
`;
}

export const pageEnd = '</main>\n</body>\n</html>\n';

/** Writes nodes as HTML. */
export function htmlText(nodes: readonly PageNode[]): string {
  return nodes
    .map((one) => (typeof one === 'string' ? escapeHtml(printable(one)) : elementText(one)))
    .join('');
}

function elementText({ name, attributes, children }: PageElement): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
  if (name === 'pre') return `<pre><code>${escapeHtml(nodesText(children))}\n</code></pre>\n`;
  const start = `<${name}${written.join('')}>`;
  if (empty.has(name)) return start;
  return `${start}${htmlText(children)}</${name}>${blocks.has(name) ? '\n' : ''}`;
}
