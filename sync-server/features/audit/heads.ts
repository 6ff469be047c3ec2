import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

import { auditHash, type AuditHead } from '#shared/model/audit.ts';
import { hidden } from '#server/platform/log.ts';

/** The message of the lines with a head in the server's log. */
export const headMessage = 'end of the audit log';

/** A head as one line of text, for standard output and syslog. `readHeads` finds it within other text. */
export function headText({ seq, hash, server, time }: AuditHead): string {
  return `Last entry in the audit log: ${seq}, hash ${hash}, server ${server}, time ${time}.`;
}

const printed =
  /Last entry in the audit log: ([1-9]\d{0,14}), hash ([0-9a-f]{64})(?:, server (\w+), time ([\w:.-]+Z))?/;
/** A head in a line of the log or a webhook, with its time stamp, which may be truncated or missing. */
const logged =
  /"(?:audit|data)":\{"server":"(\w+)","seq":([1-9]\d{0,14}),"hash":"([0-9a-f]{64})","time":"([\w:.-]+Z)"(?:,"stamped":"[\w:.-]+Z(?:","token":"([^"]*)("\}[,}])?)?)?/;
/** Lines that contain a head, readable or not. */
const tells = /Last entry in the audit log: |"audit":\{"server"|"audit\.(?:head|stamped)"/;

/** A head that was stored outside of the server. `place`: the file, and the line for text files. */
export interface StoredHead {
  place: string;
  /** Null for a time stamp alone, which has only the hash. */
  seq: number | null;
  hash: string | null;
  server: string | null;
  /** When the head was sent, or the exported row was written, ISO 8601. */
  time: string | null;
  /** The time stamp of an authority (DER). */
  token: Uint8Array | null;
}

/** The heads in files, and the places with unreadable heads. */
export interface StoredHeads {
  heads: StoredHead[];
  unreadable: string[];
  /** Places with a readable head whose time stamp was redacted or truncated. */
  unstamped: string[];
}

/** Largest file that is read as a single JSON value, bytes. */
const mostJsonBytes = 16 * 1024 * 1024;

/**
 * Reads heads from files: lines of the server's log and output, syslog, bodies of webhooks, answers of
 * `audit verify --json`, rows of `audit export --json`, and time stamps (DER). Other lines are skipped, so whole logs
 * can be given. Throws file system errors.
 */
export async function readHeads(paths: readonly string[]): Promise<StoredHeads> {
  const stored: StoredHeads = { heads: [], unreadable: [], unstamped: [] };
  for (const path of paths) {
    if (await isDer(path))
      stored.heads.push({
        place: path,
        seq: null,
        hash: null,
        server: null,
        time: null,
        token: await readFile(path),
      });
    else if (!(await readLines(path, stored))) await readWhole(path, stored);
  }
  return stored;
}

/** Whether a file begins with an ASN.1 sequence in long form, which no text file does. */
async function isDer(path: string): Promise<boolean> {
  await using file = await open(path);
  const begin = Buffer.alloc(2);
  const { bytesRead } = await file.read(begin, 0, 2, 0);
  return bytesRead === 2 && begin[0] === 0x30 && (begin[1] ?? 0) >= 0x80;
}

/** Reads a file line by line. Returns false if no line contains a head. */
async function readLines(path: string, stored: StoredHeads): Promise<boolean> {
  let number = 0;
  let found = false;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1;
    const place = `${path}, line ${number}`;
    const before = stored.heads.length;
    readLine(line, place, stored);
    const hasHead = stored.heads.length > before;
    // Log collectors may embed a line in a JSON text of their own.
    const isTold = hasHead || tells.test(unescaped(line));
    if (isTold && !hasHead) stored.unreadable.push(place);
    found ||= isTold;
  }
  return found;
}

function unescaped(line: string): string {
  return line.replaceAll('\\', '');
}

function readLine(line: string, place: string, stored: StoredHeads): void {
  const begin = line.indexOf('{');
  const json = begin < 0 ? undefined : parsed(line.slice(begin));
  if (json !== undefined && addHeads(json, place, stored)) return;
  // Embedded in another text, or truncated: read what is there.
  const text = unescaped(line);
  const [, server, seq, hash, time, token, end] = logged.exec(text) ?? [];
  if (seq !== undefined && hash !== undefined) {
    const isWhole = token === undefined ? !text.includes('"stamped":') : end !== undefined;
    const head = { place, seq: Number(seq), hash, server: server ?? null, time: time ?? null };
    addHead(head, isWhole ? token : hidden, stored);
    return;
  }
  const [, row, itsHash, itsServer, itsTime] = printed.exec(text) ?? [];
  if (row === undefined || itsHash === undefined) return;
  const head = { place, seq: Number(row), hash: itsHash, server: itsServer ?? null, time: itsTime ?? null };
  addHead(head, undefined, stored);
}

async function readWhole(path: string, stored: StoredHeads): Promise<void> {
  await using file = await open(path);
  const { size } = await file.stat();
  if (size > mostJsonBytes) return;
  const json = parsed(await file.readFile('utf8'));
  if (json !== undefined) addHeads(json, path, stored);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRow(seq: unknown): seq is number {
  return typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0;
}

/** Adds every object inside a JSON value that has the row and hash of a head. Returns false if there is none. */
function addHeads(value: unknown, place: string, stored: StoredHeads): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { seq, hash, server, time, token } = value as Record<string, unknown>;
  if (!Array.isArray(value) && isRow(seq) && auditHash.safeParse(hash).success) {
    const head = {
      place,
      seq,
      hash: String(hash),
      server: typeof server === 'string' ? server : null,
      time: typeof time === 'string' ? time : null,
    };
    addHead(head, typeof token === 'string' ? token : undefined, stored);
    return true;
  }
  return Object.values(value)
    .map((inner) => addHeads(inner, place, stored))
    .includes(true);
}

/** `token`: the time stamp in base64, or the placeholder of a redacted one. */
function addHead(head: Omit<StoredHead, 'token'>, token: string | undefined, stored: StoredHeads): void {
  if (token === hidden) stored.unstamped.push(head.place);
  const isThere = token !== undefined && token !== hidden;
  stored.heads.push({ ...head, token: isThere ? Buffer.from(token, 'base64') : null });
}
