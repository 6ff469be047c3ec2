/** A file that was not changed for so long when it was handed out is changed in another second if at all, ms. */
const settledMs = 60_000;

/** Clocks of devices may be wrong by so much, ms. */
const clockErrorMs = 24 * 60 * 60_000;

/**
 * What an answer gives to go on by when it breaks off (`If-Range`, RFC 9110, 13.1.5): a strong tag, else the time of the
 * last change if it is a strong one too (8.8.2.2), that is, well before the answer. '' when there is neither. `now`: of
 * this device, for answers that do not tell their date; ms since 1970.
 */
export function validatorOf(headers: Headers, now: number): string {
  const tag = headers.get('etag') ?? '';
  if (tag.startsWith('"')) return tag;
  const changed = headers.get('last-modified') ?? '';
  const date = Date.parse(headers.get('date') ?? '');
  const latest = Number.isNaN(date) ? now - clockErrorMs : date - settledMs;
  return Date.parse(changed) <= latest ? changed : '';
}
