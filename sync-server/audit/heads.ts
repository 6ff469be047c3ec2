import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

import { auditHash, type AuditHead } from '#shared/model/audit.ts';

/** What the message of a head in the log of the server is called. */
export const headMessage = 'end of the audit log';

/** A head in one line, as the server prints it and syslog gets it; `readHeads` reads it, whatever stands around it. */
export function headText({ seq, hash, server, time }: AuditHead): string {
  return `Last entry in the audit log: ${seq}, hash ${hash}, server ${server}, time ${time}.`;
}

const printed =
  /Last entry in the audit log: ([1-9]\d{0,14}), hash ([0-9a-f]{64})(?:, server (\w+), time ([\w:.-]+Z))?/;
/** Lines that tell of a head, whether they can be read or not. */
const tells = /Last entry in the audit log: |"audit":\{"server"|"audit\.(?:head|stamped)"/;

/** A head that somebody kept outside of the server. `place`: file, and line where it has some. */
export interface KeptHead {
  place: string;
  /** null: a time stamp alone, which tells only the hash. */
  seq: number | null;
  hash: string | null;
  server: string | null;
  /** When it was told, ISO 8601; of an exported row when it was written. */
  time: string | null;
  /** The stamp of an authority (DER). */
  token: Uint8Array | null;
}

/** What files hold: heads, and places that tell of one but cannot be read. */
export interface KeptHeads {
  heads: KeptHead[];
  unreadable: string[];
}

/** A whole file is read as one JSON value up to this, bytes. */
const mostJsonBytes = 16 * 1024 * 1024;

/**
 * Reads what was kept of heads outside of the server: lines of its log and of its output, of syslog, bodies of webhooks,
 * answers of `audit verify --json`, rows of `audit export --json`, and time stamps (DER). Other lines are skipped, so
 * that whole logs can be given. Throws the error of the file system.
 */
export async function readHeads(paths: readonly string[]): Promise<KeptHeads> {
  const kept: KeptHeads = { heads: [], unreadable: [] };
  for (const path of paths) {
    if (await isDer(path))
      kept.heads.push({
        place: path,
        seq: null,
        hash: null,
        server: null,
        time: null,
        token: await readFile(path),
      });
    else if (!(await readLines(path, kept))) await readWhole(path, kept);
  }
  return kept;
}

/** Whether a file begins with a sequence of ASN.1 that is longer than any text would say. */
async function isDer(path: string): Promise<boolean> {
  await using file = await open(path);
  const begin = Buffer.alloc(2);
  const { bytesRead } = await file.read(begin, 0, 2, 0);
  return bytesRead === 2 && begin[0] === 0x30 && (begin[1] ?? 0) >= 0x80;
}

/** Reads line by line. False: no line told of a head. */
async function readLines(path: string, kept: KeptHeads): Promise<boolean> {
  let number = 0;
  let found = false;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1;
    const place = `${path}, line ${number}`;
    const heads = headsInLine(line, place);
    kept.heads.push(...heads);
    if (heads.length === 0 && tells.test(line)) kept.unreadable.push(place);
    found ||= heads.length > 0 || tells.test(line);
  }
  return found;
}

function headsInLine(line: string, place: string): KeptHead[] {
  const begin = line.indexOf('{');
  const json = begin < 0 ? undefined : parsed(line.slice(begin));
  if (json !== undefined) return headsIn(json, place);
  const [, seq, hash, server, time] = printed.exec(line) ?? [];
  if (seq === undefined || hash === undefined) return [];
  return [{ place, seq: Number(seq), hash, server: server ?? null, time: time ?? null, token: null }];
}

async function readWhole(path: string, kept: KeptHeads): Promise<void> {
  await using file = await open(path);
  const { size } = await file.stat();
  if (size > mostJsonBytes) return;
  const json = parsed(await file.readFile('utf8'));
  if (json !== undefined) kept.heads.push(...headsIn(json, path));
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

/** Every object inside a JSON value that has the row and hash of a head. */
function headsIn(value: unknown, place: string): KeptHead[] {
  if (Array.isArray(value)) return value.flatMap((inner) => headsIn(inner, place));
  if (typeof value !== 'object' || value === null) return [];
  const { seq, hash, server, time, token } = value as Record<string, unknown>;
  if (isRow(seq) && auditHash.safeParse(hash).success)
    return [
      {
        place,
        seq,
        hash: String(hash),
        server: typeof server === 'string' ? server : null,
        time: typeof time === 'string' ? time : null,
        token: typeof token === 'string' ? Buffer.from(token, 'base64') : null,
      },
    ];
  return Object.values(value).flatMap((inner) => headsIn(inner, place));
}
