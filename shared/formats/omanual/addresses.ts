import { isSafeUrl } from '#shared/formats/wikitext/urls.ts';

const absoluteAddress = /^https?:\/\//i;

/** The site of a web address, as scheme, host and port; '' for everything else, such as `javascript:` and paths. */
export function siteOf(address: string): string {
  return absoluteAddress.test(address) && URL.canParse(address) ? new URL(address).origin : '';
}

/**
 * Converts an address to an absolute `xs:anyURI`: paths of the site get its base, invalid characters are
 * percent-encoded. Undefined for an empty address and for anything but http, https and paths of the site.
 */
export function uri(address: string, base: string): string | undefined {
  const trimmed = address.trim();
  const whole = trimmed.startsWith('/') && !trimmed.startsWith('//') ? base + trimmed : trimmed;
  if (!absoluteAddress.test(whole) || !URL.canParse(whole)) {
    return whole === trimmed || !isSafeUrl(trimmed) ? undefined : encoded(whole);
  }
  const { protocol, username, password, host, href } = new URL(whole);
  const user = username === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`;
  const origin = `${protocol}//${user}${host}`;
  return href.startsWith(origin) ? origin + encoded(href.slice(origin.length)) : undefined;
}

function encoded(part: string): string {
  const [path = '', ...fragment] = part.split('#');
  return [path, ...(fragment.length === 0 ? [] : [fragment.join('%23')])].map(encodedPart).join('#');
}

function encodedPart(part: string): string {
  return part
    .replaceAll(/%(?![0-9a-f]{2})/gi, '%25')
    .replaceAll(/[^\w\-.~:/?@!$&'()*+,;=%]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}
