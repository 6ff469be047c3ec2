import { nothing, safe, type Html } from '#shared/html.ts';
import { qrCode } from './qr-code.ts';
import { isReachable } from '#shared/rules/urls.ts';
import type { PageWords } from './words.ts';

/**
 * The head of a guide or category.
 * - PRINT-4 It shows language, title, revision, day of the last change, author, and the address of the newest version
 *   with its QR code. The foot of every printed sheet repeats title, revision and the day on which the page was made.
 *   Days are in ISO 8601.
 * - PRINT-8 If only the server's own machine can reach the address (`localhost`), the page says so and has no QR code.
 */
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

/** The QR code of an address, or a notice when other devices cannot reach it. */
function codeOf(address: string, words: PageWords): Html {
  if (address === '') return nothing;
  if (!isReachable(address)) return safe`<div class="code">${words.noCode}</div>`;
  const code = qrCode(address, words.scan);
  return code === null ? nothing : safe`<div class="code">${code}${words.scan}</div>`;
}

/** A day in ISO 8601, which readers of every language understand. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
