import { type Cipher, CipherError } from '../platform/cipher.ts';
import { crc32c } from './bytes.ts';

/*
 * A segment is a sequence of frames:
 *
 *   magic 4 | payload length u32 | kind u8 | version u8 | zero u16 | header CRC u32 | payload | payload CRC u32
 *
 * All numbers are little endian. The header CRC also covers the segment's number and the frame's offset, so a
 * frame is valid only where it was written. A copy of a journal inside a payload, or an old block that the file
 * system reuses, is therefore never read as a record.
 *
 * The payload of version 2 is sealed by the device's cipher; its context names the frame's place and kind. The main process
 * reads magic and version too (`main/sealed-journals.ts`).
 */

/** `batch`: one append. `snapshot`: records copied by compaction. `seal`: the end of the snapshot. */
export type FrameKind = 'batch' | 'snapshot' | 'seal';

/** A frame without its header and CRCs. */
export interface Frame {
  kind: FrameKind;
  payload: Uint8Array;
}

/** A frame and its offset in the segment. */
export interface FoundFrame extends Frame {
  at: number;
}

/** A region without a valid frame. `tail` extends to the end of the segment; `middle` is followed by valid frames. */
export interface Damage {
  kind: 'tail' | 'middle';
  from: number;
  to: number;
}

/** The result of reading a segment. */
export interface Scan {
  frames: FoundFrame[];
  damage: Damage[];
  /** Where the last valid frame ends, and the next one is written. */
  end: number;
  /** Whether a later format version wrote a frame. Such frames are not in `frames`. */
  newer: boolean;
  /** Whether a frame is not encrypted. */
  clear: boolean;
  /** Whether a frame is encrypted, under the key of the cipher. */
  sealed: boolean;
}

/** How frames are decrypted. Without a cipher none may be encrypted. */
export interface Decryption {
  cipher?: Cipher | undefined;
  /** Whether frames before this segment are encrypted, so that none may be clear (CIPHER-5). */
  isSealed?: boolean;
}

const CLEAR_VERSION = 1;
const SEALED_VERSION = 2;

// 0xF5 and 0xFA occur in no UTF-8 text, so JSON never looks like the start of a frame.
const MAGIC = 0xfa424af5;
const MAGIC_FIRST_BYTE = 0xf5;
const HEADER_SIZE = 16;
const TRAILER_SIZE = 4;
const KIND_CODES = { batch: 1, snapshot: 2, seal: 3 } as const;
const KINDS = new Map<number, FrameKind>([
  [1, 'batch'],
  [2, 'snapshot'],
  [3, 'seal'],
]);

/** The bytes of a frame at `offset` of segment `segment`, encrypted if there is a cipher. */
export function encodeFrame(frame: Frame, segment: number, offset: number, cipher?: Cipher): Uint8Array {
  const payload = cipher?.seal(frame.payload, contextOf(frame.kind, segment, offset)) ?? frame.payload;
  const bytes = new Uint8Array(HEADER_SIZE + payload.length + TRAILER_SIZE);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, payload.length, true);
  view.setUint8(8, KIND_CODES[frame.kind]);
  view.setUint8(9, cipher === undefined ? CLEAR_VERSION : SEALED_VERSION);
  const headerCrc = crc32c(bytes.subarray(0, 12), placeSeed(segment, offset));
  view.setUint32(12, headerCrc, true);
  bytes.set(payload, HEADER_SIZE);
  view.setUint32(HEADER_SIZE + payload.length, crc32c(payload, headerCrc), true);
  return bytes;
}

/**
 * Reads every valid frame of a segment. A frame whose header or payload fails its CRC is never returned. The next frame
 * is found by the length in the header, or by searching for the next valid header. A sealed frame that was changed, or a clear
 * frame after a sealed one, counts as damaged.
 * @throws CipherError `other-key` if a frame was sealed with another key, or with any key when there is no cipher
 */
export function scanSegment(
  bytes: Uint8Array,
  segment: number,
  { cipher, isSealed = false }: Decryption = {},
): Scan {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scan: Scan = { frames: [], damage: [], end: 0, newer: false, clear: false, sealed: false };
  let position = 0;
  while (position < bytes.length) {
    const header = readHeader(bytes, view, segment, position);
    if (header === undefined) {
      const next = findHeader(bytes, view, segment, position + 1);
      addDamage(scan, position, next ?? bytes.length, bytes.length);
      position = next ?? bytes.length;
      continue;
    }
    const next = position + HEADER_SIZE + header.length + TRAILER_SIZE;
    if (next > bytes.length || !payloadIsGood(bytes, view, position, header.length)) {
      // The header is valid, so its length is too: the search continues after this frame, not inside its payload.
      const to = Math.min(next, bytes.length);
      addDamage(scan, position, to, bytes.length);
      position = to;
      continue;
    }
    const kind = KINDS.get(header.kind);
    if (header.version > SEALED_VERSION || kind === undefined) scan.newer = true;
    else {
      const stored = bytes.subarray(position + HEADER_SIZE, next - TRAILER_SIZE);
      const isClear = header.version === CLEAR_VERSION;
      const isPlanted = isClear && (isSealed || scan.sealed);
      const payload = isClear ? stored : openPayload(stored, contextOf(kind, segment, position), cipher);
      if (payload === undefined || isPlanted) {
        addDamage(scan, position, next, bytes.length);
        position = next;
        continue;
      }
      if (isClear) scan.clear = true;
      else scan.sealed = true;
      scan.frames.push({ kind, payload, at: position });
    }
    scan.end = next;
    position = next;
  }
  return scan;
}

/**
 * Whether damage at the end was left by an interrupted write, which was never reported as saved: a frame that is cut
 * short, or zeros. Anything else was complete once.
 */
export function isTornWrite(bytes: Uint8Array, segment: number, { kind, from }: Damage): boolean {
  if (kind !== 'tail') return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = readHeader(bytes, view, segment, from);
  if (header !== undefined) return from + HEADER_SIZE + header.length + TRAILER_SIZE > bytes.length;
  return from + HEADER_SIZE > bytes.length || bytes.subarray(from).every((byte) => byte === 0);
}

function contextOf(kind: FrameKind, segment: number, offset: number): string {
  return `${kind} ${segment} ${offset}`;
}

/** The clear payload; undefined if the sealed one was changed. */
function openPayload(sealed: Uint8Array, context: string, cipher?: Cipher): Uint8Array | undefined {
  if (cipher === undefined) throw new CipherError('other-key');
  try {
    return cipher.open(sealed, context);
  } catch (error) {
    if (error instanceof CipherError && error.kind === 'changed') return undefined;
    throw error;
  }
}

interface Header {
  length: number;
  kind: number;
  version: number;
}

function readHeader(bytes: Uint8Array, view: DataView, segment: number, at: number): Header | undefined {
  if (at + HEADER_SIZE > bytes.length || view.getUint32(at, true) !== MAGIC) return undefined;
  const crc = crc32c(bytes.subarray(at, at + 12), placeSeed(segment, at));
  if (crc !== view.getUint32(at + 12, true)) return undefined;
  return {
    length: view.getUint32(at + 4, true),
    kind: view.getUint8(at + 8),
    version: view.getUint8(at + 9),
  };
}

function findHeader(bytes: Uint8Array, view: DataView, segment: number, from: number): number | undefined {
  let at = bytes.indexOf(MAGIC_FIRST_BYTE, from);
  while (at !== -1) {
    if (readHeader(bytes, view, segment, at) !== undefined) return at;
    at = bytes.indexOf(MAGIC_FIRST_BYTE, at + 1);
  }
  return undefined;
}

function payloadIsGood(bytes: Uint8Array, view: DataView, at: number, length: number): boolean {
  const payload = bytes.subarray(at + HEADER_SIZE, at + HEADER_SIZE + length);
  return crc32c(payload, view.getUint32(at + 12, true)) === view.getUint32(at + HEADER_SIZE + length, true);
}

function addDamage(scan: Scan, from: number, to: number, size: number): void {
  const last = scan.damage.at(-1);
  const start = last?.to === from ? (scan.damage.pop()?.from ?? from) : from;
  scan.damage.push({ kind: to === size ? 'tail' : 'middle', from: start, to });
}

function placeSeed(segment: number, offset: number): number {
  const place = new DataView(new ArrayBuffer(12));
  place.setUint32(0, segment, true);
  place.setFloat64(4, offset, true);
  return crc32c(new Uint8Array(place.buffer));
}
