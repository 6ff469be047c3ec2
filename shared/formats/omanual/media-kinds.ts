import type { ArchivedMedia } from './archive.ts';

type Kind = ArchivedMedia['kind'];

interface FileType {
  kind: Kind;
  mime: string;
}

const byExtension: Readonly<Record<string, FileType>> = {
  jpg: { kind: 'image', mime: 'image/jpeg' },
  jpeg: { kind: 'image', mime: 'image/jpeg' },
  png: { kind: 'image', mime: 'image/png' },
  gif: { kind: 'image', mime: 'image/gif' },
  webp: { kind: 'image', mime: 'image/webp' },
  bmp: { kind: 'image', mime: 'image/bmp' },
  tif: { kind: 'image', mime: 'image/tiff' },
  tiff: { kind: 'image', mime: 'image/tiff' },
  avif: { kind: 'image', mime: 'image/avif' },
  heic: { kind: 'image', mime: 'image/heic' },
  mp4: { kind: 'video', mime: 'video/mp4' },
  m4v: { kind: 'video', mime: 'video/mp4' },
  mov: { kind: 'video', mime: 'video/quicktime' },
  webm: { kind: 'video', mime: 'video/webm' },
  mkv: { kind: 'video', mime: 'video/x-matroska' },
  ogv: { kind: 'video', mime: 'video/ogg' },
  ogg: { kind: 'video', mime: 'video/ogg' },
  avi: { kind: 'video', mime: 'video/x-msvideo' },
  pdf: { kind: 'document', mime: 'application/pdf' },
};

/** The type that the extension of a name claims; null when it claims none that can be recognised by content. */
export function claimedType(name: string): FileType | null {
  const dot = name.lastIndexOf('.');
  const extension = dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
  return Object.hasOwn(byExtension, extension) ? (byExtension[extension] ?? null) : null;
}

/** The type by the first bytes (64 are enough); null: unknown. */
export function recognisedType(head: Uint8Array): FileType | null {
  const found = signatures.find(({ parts }) => parts.every(([at, sign]) => hasSign(head, at, sign)));
  if (found?.mime === 'video/webm' && String.fromCharCode(...head.subarray(0, 64)).includes('matroska'))
    return { kind: 'video', mime: 'video/x-matroska' };
  return found ?? null;
}

function hasSign(head: Uint8Array, at: number, sign: string): boolean {
  for (let index = 0; index < sign.length; index += 1)
    if (head[at + index] !== sign.charCodeAt(index)) return false;
  return true;
}

/** Signatures of file types with their offsets; of signatures with a common beginning, the longer ones come first. */
const signatures: readonly (FileType & { parts: readonly (readonly [at: number, sign: string])[] })[] = [
  { parts: [[0, '\u00ff\u00d8\u00ff']], kind: 'image', mime: 'image/jpeg' },
  { parts: [[0, '\u0089PNG\r\n\u001a\n']], kind: 'image', mime: 'image/png' },
  { parts: [[0, 'GIF87a']], kind: 'image', mime: 'image/gif' },
  { parts: [[0, 'GIF89a']], kind: 'image', mime: 'image/gif' },
  {
    parts: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
    kind: 'image',
    mime: 'image/webp',
  },
  {
    parts: [
      [0, 'BM'],
      [6, '\0\0\0\0'],
    ],
    kind: 'image',
    mime: 'image/bmp',
  },
  { parts: [[0, 'II*\0']], kind: 'image', mime: 'image/tiff' },
  { parts: [[0, 'MM\0*']], kind: 'image', mime: 'image/tiff' },
  { parts: [[4, 'ftypavif']], kind: 'image', mime: 'image/avif' },
  { parts: [[4, 'ftypheic']], kind: 'image', mime: 'image/heic' },
  { parts: [[4, 'ftypmif1']], kind: 'image', mime: 'image/heic' },
  { parts: [[4, 'ftypqt  ']], kind: 'video', mime: 'video/quicktime' },
  { parts: [[4, 'ftyp']], kind: 'video', mime: 'video/mp4' },
  { parts: [[0, '\u001aE\u00df\u00a3']], kind: 'video', mime: 'video/webm' },
  { parts: [[0, 'OggS']], kind: 'video', mime: 'video/ogg' },
  {
    parts: [
      [0, 'RIFF'],
      [8, 'AVI '],
    ],
    kind: 'video',
    mime: 'video/x-msvideo',
  },
  { parts: [[0, '%PDF-']], kind: 'document', mime: 'application/pdf' },
];

/** The media type of a document by the extension of its name. */
export function documentMime(name: string): string {
  return claimedType(name)?.mime ?? 'application/octet-stream';
}

/** The width and height of a picture from its first bytes; null when these are not enough. */
export function pictureSize(head: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  switch (recognisedType(head)?.mime) {
    case 'image/png':
      return head.length < 24 ? null : { width: view.getUint32(16), height: view.getUint32(20) };
    case 'image/gif':
      return head.length < 10 ? null : { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    case 'image/webp':
      return head.length < 30 ? null : webpSize(view);
    case 'image/jpeg':
      return jpegSize(view);
    default:
      return null;
  }
}

/** The three kinds of WebP: lossy, lossless, extended. */
function webpSize(view: DataView): { width: number; height: number } | null {
  const kind = view.getUint32(12);
  if (kind === 0x5650_3820)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind === 0x5650_384c) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== 0x5650_3858) return null;
  const three = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
  return { width: three(24), height: three(27) };
}

/** Reads the segments of a JPEG up to the one with the size of the frame. */
function jpegSize(view: DataView): { width: number; height: number } | null {
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
    at += isAlone ? 2 : 2 + view.getUint16(at + 2);
  }
  return null;
}
