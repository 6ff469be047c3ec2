import { ArchiveRefused } from './archive.ts';

/** Supported encodings; every platform's TextDecoder knows them. */
const known = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii|ascii|iso-8859-\d{1,2}|windows-125\d)$/i;

/** A decoder for the text of an XML document, chosen by its first bytes (XML 1.0, appendix F). */
export function xmlDecoder(head: Uint8Array, member: string): TextDecoder {
  return new TextDecoder(encodingOf(head, member), { fatal: true });
}

function encodingOf(head: Uint8Array, member: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0x3c && b === 0 && c === 0x3f && d === 0) return 'utf-16le';
  if (a === 0 && b === 0x3c && c === 0 && d === 0x3f) return 'utf-16be';
  const declared = declaredIn(String.fromCharCode(...head.subarray(0, 200))) ?? 'utf-8';
  if (!known.test(declared))
    throw new ArchiveRefused(
      'xml-encoding',
      member,
      `${nameOf(member)} is written in ${declared}, which cannot be read.`,
    );
  // Without a byte order mark or a zero byte it cannot be UTF-16, whatever it declares.
  return /^utf-?(?:8|16)/i.test(declared) ? 'utf-8' : declared;
}

function declaredIn(start: string): string | undefined {
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']{1,40})["']/.exec(start)?.[1];
}

/**
 * The encoding that a document declares although its first bytes show another, which XML forbids (XML 1.0, 4.3.3); null
 * when there is none. We read such a document by its bytes, other readers refuse it.
 */
export function falseEncoding(head: Uint8Array, member: string): string | null {
  const read = encodingOf(head, member);
  const text = new TextDecoder(read).decode(head.subarray(0, 400), { stream: true });
  const declared = declaredIn(text);
  if (declared === undefined) return null;
  const [told, found] = [declared, read].map((one) =>
    one.toLowerCase().replace(/^utf-?16(?:le|be)$/, 'utf-16'),
  );
  const isSame = told?.replace('-', '') === found?.replace('-', '');
  return isSame ? null : declared;
}

/** The name of a member for messages. */
export function nameOf(member: string): string {
  return member === '' ? 'The document' : member;
}
