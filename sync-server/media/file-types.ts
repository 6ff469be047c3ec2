/**
 * Recognises the type of documents and videos.
 *
 * - MEDIA-6 The type of a file follows from its content, not from its name.
 */
import { extname } from 'node:path';

import { lookup } from 'mime-types';

import { invalid } from '#shared/api/problem.ts';
import { slicesOf } from '#server/platform/slices.ts';

import type { IncomingFile } from './incoming.ts';

/** A file whose type was recognised: media type and the name under which it is stored. */
export interface RecognisedFile {
  mime: string;
  filename: string;
}

const packed = ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'zip'];
const compound = ['doc', 'xls', 'ppt'];
const plain = ['txt', 'csv', 'log', 'md', 'json', 'xml'];

/** The media type for the extension of a file name. */
export function typeByName(filename: string): string {
  return lookup(extname(filename)) || 'application/octet-stream';
}

/**
 * Media type of a stored document, by its name, which was checked at the upload. All texts except CSV are plain text.
 */
export function documentType(filename: string): string {
  const extension = extensionOf(filename);
  if (extension === 'csv') return 'text/csv; charset=utf-8';
  if (plain.includes(extension)) return 'text/plain; charset=utf-8';
  const isKnown = ['pdf', ...packed, ...compound].includes(extension);
  return isKnown ? typeByName(filename) : 'application/octet-stream';
}

/** The extension of a file name in lower case; '' without one. */
export function extensionOf(filename: string): string {
  return /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
}

/** Recognises a document: PDF, office files, ZIP packages, text. @throws Problem 422 for anything else */
export async function recogniseDocument(bytes: Buffer, name: string): Promise<RecognisedFile> {
  return documentOf(packedExtensions(bytes) ?? ((await isText(slicesOf(bytes))) ? plain : undefined), name);
}

/** `recogniseDocument` for a file of any size. */
export async function recogniseDocumentFile(file: IncomingFile, name: string): Promise<RecognisedFile> {
  const found = packedExtensions(await file.read(0, 8));
  return documentOf(found ?? ((await isText(file.pieces())) ? plain : undefined), name);
}

function documentOf(extensions: string[] | undefined, name: string): RecognisedFile {
  if (extensions === undefined)
    throw invalid('body', 'Send a PDF, an office document, a ZIP package or a text file');
  const filename = safeNameWith(name, extensions);
  return { filename, mime: documentType(filename) };
}

/** Allowed extensions of a file with this beginning, the default first; undefined: it can only be text. */
function packedExtensions(bytes: Buffer): string[] | undefined {
  if (startsWith(bytes, '%PDF-')) return ['pdf'];
  if (startsWith(bytes, 'PK\x03\x04')) return ['zip', ...packed];
  if (startsWith(bytes, '\xd0\xcf\x11\xe0')) return ['doc', ...compound];
  return undefined;
}

function startsWith(bytes: Buffer, signature: string): boolean {
  return bytes.toString('latin1', 0, signature.length) === signature;
}

async function isText(pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of pieces)
    if (!isTextSoFar(() => decoder.decode(piece, { stream: true }))) return false;
  return isTextSoFar(() => decoder.decode());
}

function isTextSoFar(decode: () => string): boolean {
  try {
    return !/\p{Cc}/u.test(decode().replaceAll(/[\t\n\f\r]/g, ''));
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Recognises a video by its first 64 bytes: MP4, MOV, WebM, Ogg. @throws Problem 422 for anything else */
export function recogniseVideo(bytes: Buffer, name: string): RecognisedFile {
  const found = videoKind(bytes);
  if (found === undefined) throw invalid('body', 'Send an MP4, MOV, WebM or Ogg video');
  return { mime: found.mime, filename: safeNameWith(name, found.extensions) };
}

function videoKind(bytes: Buffer): { mime: string; extensions: string[] } | undefined {
  if (bytes.toString('latin1', 4, 8) === 'ftyp') {
    const isQuickTime = bytes.toString('latin1', 8, 12) === 'qt  ';
    return isQuickTime
      ? { mime: 'video/quicktime', extensions: ['mov'] }
      : { mime: 'video/mp4', extensions: ['mp4', 'm4v'] };
  }
  const isMatroska = startsWith(bytes, '\x1a\x45\xdf\xa3');
  if (isMatroska && bytes.subarray(0, 64).includes('webm'))
    return { mime: 'video/webm', extensions: ['webm'] };
  if (startsWith(bytes, 'OggS')) return { mime: 'video/ogg', extensions: ['ogv', 'ogg'] };
  return undefined;
}

/** A safe file name with one of the extensions that its content allows. */
function safeNameWith(name: string, extensions: string[]): string {
  const clean = cleanName(name);
  return extensions.includes(extensionOf(clean)) ? clean : `${clean}.${extensions[0] ?? ''}`;
}

/** A file name that is safe in paths and headers; at most 200 characters. */
export function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .replaceAll(/[\p{Cc}"<>|:*?]/gu, '')
    .trim()
    .replace(/^\.+/, '');
  return clean.slice(-200) || 'file';
}
