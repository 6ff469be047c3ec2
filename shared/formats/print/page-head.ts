import { nothing, safe, type Html } from '#shared/html.ts';
import { qrCode } from './qr-code.ts';
import { isReachable } from '#shared/rules/urls.ts';
import type { PageWords } from './words.ts';

/** The head of a guide or category: what it is, which version, and where the newest one is. */
export function pageHead({
  over,
  title,
  summary,
  about,
  address,
  words,
}: {
  over: string;
  title: string;
  summary: string;
  about: readonly [string, string | number][];
  address: string;
  words: PageWords;
}): Html {
  const rows = about
    .filter(([, value]) => value !== '')
    .map(
      ([name, value]) =>
        safe`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    );
  return safe`<header class="head">
    <div>
      <p class="over">${over}</p>
      <h1>${title}</h1>
      ${summary === '' ? nothing : safe`<p class="summary">${summary}</p>`}
    </div>
    ${codeOf(address, words)}
    <dl class="about">${rows}</dl>
    <p class="address">${address}</p>
  </header>`;
}

/** A code that leads nowhere from the phone that scans it is worse than none. */
function codeOf(address: string, words: PageWords): Html {
  if (address === '') return nothing;
  if (!isReachable(address)) return safe`<div class="code">${words.noCode}</div>`;
  const code = qrCode(address, words.scan);
  return code === null ? nothing : safe`<div class="code">${code}${words.scan}</div>`;
}

/** A day as ISO 8601 writes it, which every language reads. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
