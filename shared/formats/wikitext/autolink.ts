import { isSafeUrl } from './urls.ts';

const SCHEME = /https?:\/\//iy;

/** The result of reading a bare address: `url` if there is one, and the index at which to continue. */
export interface Address {
  readonly url: string | null;
  readonly next: number;
}

/** Reads the bare address at `at` in `[start, end)`. A scheme within a word (`xhttp://`) begins no address. */
export function readAddress(text: string, at: number, start: number, end: number): Address {
  SCHEME.lastIndex = at;
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return { url: null, next: at + 1 };
  const bodyStart = Math.min(at + scheme.length, end);
  if (at > start && /[a-z0-9]/i.test(text.charAt(at - 1))) return { url: null, next: bodyStart };
  const bodyEnd = addressEnd(text, bodyStart, end);
  const url = trimAddress(text.slice(at, bodyEnd));
  return isSafeUrl(url) ? { url, next: at + url.length } : { url: null, next: bodyEnd };
}

/** The end of an address: the first character that cannot be part of one, or a format sign. */
function addressEnd(text: string, start: number, limit: number): number {
  let at = start;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === 0x7f || '<>"[]|{}`\\\u00a0\u2028\u2029\u3000'.includes(text.charAt(at)))
      break;
    if (at + 1 < limit && code === text.charCodeAt(at + 1) && "'+~^,".includes(text.charAt(at))) break;
    at++;
  }
  return at;
}

/** Drops punctuation that belongs to the sentence; keeps a closing bracket whose opening bracket is in the address. */
function trimAddress(url: string): string {
  let end = url.length;
  let surplus = 0;
  for (let at = 0; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code === 0x28) surplus--;
    else if (code === 0x29) surplus++;
  }
  for (; end > 0; end--) {
    const character = url.charAt(end - 1);
    if (character === ')' && surplus > 0) surplus--;
    else if (!".,;:!?'".includes(character)) break;
  }
  return url.slice(0, end);
}
