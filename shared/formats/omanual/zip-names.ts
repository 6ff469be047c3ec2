import { ArchiveRefused } from './archive.ts';

/** Code page 437 above ASCII, the encoding of names that are not marked as UTF-8 (ZIP, appendix D). */
const codePage437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Maximum length of the name of a member, in characters. */
const longestName = 1024;

/**
 * Decodes the name of a member. An unmarked name that is valid UTF-8 is read as UTF-8, because many tools forget the
 * mark.
 */
export function decodeName(raw: Uint8Array, isUtf8: boolean): string {
  try {
    return strictUtf8.decode(raw);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    if (isUtf8) throw new ArchiveRefused('name-encoding', '', 'A name in the package is not valid UTF-8.');
    return Array.from(raw, (byte) =>
      byte < 0x80 ? String.fromCharCode(byte) : codePage437.charAt(byte - 0x80),
    ).join('');
  }
}

/** The form of most names: words separated by single dots and slashes. */
const plain = /^\w[\w-]*(?:[./]\w[\w-]*)*$/;

/**
 * The name without `.` and empty segments, in NFC; a folder keeps its last slash. Throws for names that lead out of the
 * package.
 */
export function safeName(name: string): string {
  if (name.length > longestName) refuse('name-too-long', name.slice(0, 60), 'is too long');
  if (plain.test(name)) return name;
  if (name.includes('\\')) refuse('name-backslash', name, 'has a backslash');
  if (/\p{Cc}/u.test(name)) refuse('name-control', name, 'has control characters');
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) refuse('name-absolute', name, 'is absolute');
  const segments = name.normalize('NFC').split('/');
  if (segments.includes('..')) refuse('name-outside', name, 'leads out of the package');
  const parts = segments.filter((segment) => segment !== '' && segment !== '.');
  return parts.join('/') + (name.endsWith('/') && parts.length > 0 ? '/' : '');
}

function refuse(code: string, name: string, what: string): never {
  throw new ArchiveRefused(code, name, `The name ${JSON.stringify(name)} ${what}.`);
}
