import { firstValueFrom } from 'rxjs';
import { z } from 'zod';

import { Problem } from '#shared/api/problem.ts';
import type { ByteSource } from '#shared/formats/omanual/source.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { valueOf } from '#desktop/engine/outbox/journaled-records.ts';
import { fromBase64 } from '#desktop/engine/platform/base64.ts';
import { withWords } from '#desktop/engine/outbox/own-words.ts';
import type { KeptWords } from '#desktop/engine/account/leaving/quarantine.ts';
import { UnreadableDraft } from '#desktop/engine/drafts/open-draft.ts';
import { readRecord } from '#desktop/engine/outbox/at-rest.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { Services } from '../services.ts';
import { isId, mayWait } from './waiting-calls.ts';
import { valuesIn, workFileVersion, workHead, workHeadNow, workLine, type WorkLine } from './format.ts';
import type { WorkOwner } from '#desktop/engine/account/work-control.ts';
import type { ImportedWork } from '#desktop/engine/api/engine.ts';

type Deps = Pick<Services, 'sources' | 'drafts' | 'leaving'>;

/** Number of calls that are journalled at once. */
const callsAtOnce = 200;

/**
 * Imports a file of waiting work (README). Throws `Problem` invalid when it is no such file or a newer one, and
 * forbidden when it belongs to another account or server.
 */
export async function readWork(deps: Deps, source: ByteSource): Promise<ImportedWork> {
  const values = valuesIn(source);
  const first = await values.next();
  mustBeOf(deps.sources.core.work.owner(), first.done === true ? undefined : first.value);
  const importing = new Importing(deps);
  try {
    await importing.begin();
    for await (const value of values) await importing.line(value);
    return await importing.finish();
  } finally {
    await importing.removeNeedless();
  }
}

/** Throws `Problem` unless the first line of a file has this version, and belongs to this account on this server. */
function mustBeOf(own: WorkOwner | null, value: unknown): void {
  const head = workHead.safeParse(value).data;
  if (head === undefined)
    throw new Problem('invalid', 'This is not a file of waiting work, or its beginning is damaged.');
  if (head.version > workFileVersion)
    throw new Problem(
      'invalid',
      'A newer version of this app wrote this file. Update the app, then import it.',
    );
  const { data } = workHeadNow.safeParse(value);
  if (data === undefined)
    throw new Problem('invalid', 'The beginning of this file is damaged: it does not say whose work it is.');
  if (own === null) throw new Problem('unauthorized', 'Sign in first');
  const { owner } = data;
  if (isSame(own, owner)) return;
  const name = owner.username === '' ? 'somebody' : owner.username;
  throw new Problem(
    'forbidden',
    `This is the work of ${name} at ${owner.origin}, and you are signed in as ${own.username} at ${own.origin}. Sign in there as ${name} to import it.`,
  );
}

function isSame(own: WorkOwner, other: WorkOwner): boolean {
  if (own.server !== null || other.server !== null)
    return own.server === other.server && own.account === other.account;
  return own.origin === other.origin && own.userid === other.userid;
}

class Importing {
  readonly #deps: Deps;
  /** The home into which the work is imported. */
  readonly #home: string | null;
  readonly #result: ImportedWork = { calls: 0, drafts: 0, known: 0, unreadable: 0, isCut: true };
  /** Ids of calls that wait here or that the server has. */
  #known: ReadonlySet<string> = new Set();
  #marks = new Set<string>();
  #calls: OutboxCall[] = [];
  #words: KeptWords[] = [];
  #file: { id: string; type: string; name: string; sha256: string; parts: Uint8Array<ArrayBuffer>[] } | null =
    null;
  #isWhole = false;
  /** Ids of files that this import has stored, and of those that waiting calls will send. */
  readonly #put = new Set<string>();
  readonly #needed = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#home = deps.sources.core.work.home();
  }

  async begin(): Promise<void> {
    const { core } = this.#deps.sources;
    await this.#deps.drafts.toEdit();
    // Waiting calls are read before sent ones: a call may be sent in between.
    const waiting = core.outbox.present().map(({ id, fileId }) => {
      if (fileId !== null) this.#needed.add(fileId);
      return id;
    });
    const sent = (await core.leaving.sentCalls()).map(({ id }) => id);
    this.#known = new Set([...waiting, ...sent]);
    this.#marks = new Set(await this.#storedMarks());
  }

  async line(value: unknown): Promise<void> {
    const { data } = workLine.safeParse(value);
    if (data === undefined) this.#result.unreadable += 1;
    else await this.#take(data);
  }

  async finish(): Promise<ImportedWork> {
    const { core } = this.#deps.sources;
    await this.#putCalls();
    await this.#keepWords();
    core.sync.now();
    this.#deps.leaving.look();
    return { ...this.#result, isCut: !this.#isWhole };
  }

  /** Removes stored files whose call was not in the file or was not imported. */
  async removeNeedless(): Promise<void> {
    const { journal } = this.#deps.sources.core;
    for (const id of this.#put)
      if (!this.#needed.has(id)) await journal.deleteFile(id).catch(() => undefined);
  }

  async #take(line: WorkLine): Promise<void> {
    this.#deps.sources.core.mustHold();
    if ('ids' in line) await this.#learnIds(line.ids);
    else if ('file' in line) this.#file = { ...line.file, parts: [] };
    else if ('bytes' in line) this.#addBytes(line.of, line.bytes);
    else if ('fileEnd' in line) await this.#keepFile(line.fileEnd);
    else if ('call' in line) await this.#addCall(line);
    else if ('words' in line) this.#words.push(line.words);
    else if ('draft' in line) await this.#takeDraft(line.draft, line.stored);
    else this.#isWhole = true;
  }

  async #learnIds(ids: Record<string, string>): Promise<void> {
    const { core } = this.#deps.sources;
    const all = Object.entries(ids);
    const sound = all.filter(([, real]) => isId(real));
    this.#result.unreadable += all.length - sound.length;
    // Ids that this device knows already take precedence.
    const fresh = sound.filter(([id]) => core.outbox.realId(id) === undefined);
    await core.work.learnIds(Object.fromEntries(fresh));
  }

  #addBytes(id: string, bytes: string): void {
    if (this.#file?.id === id) this.#file.parts.push(new Uint8Array(fromBase64(bytes)));
  }

  /** Stores a file. An incomplete one is left out; its call reports later that it is missing. */
  async #keepFile(id: string): Promise<void> {
    const { journal } = this.#deps.sources.core;
    const file = this.#file;
    this.#file = null;
    const isHere = this.#known.has(id) || (await journal.listFiles()).some((one) => one.id === id);
    if (isHere) return;
    const { sha256 } =
      file?.id === id
        ? await journal.putFile(id, new Blob(file.parts), { type: file.type, name: file.name })
        : { sha256: null };
    if (file !== null && sha256 === file.sha256) return void this.#put.add(id);
    this.#result.unreadable += 1;
    if (sha256 !== null) await journal.deleteFile(id);
  }

  async #addCall(line: { call?: unknown; version: number }): Promise<void> {
    const call = readRecord(line);
    if (call === null || !mayWait(call)) {
      this.#result.unreadable += 1;
      return;
    }
    if (this.#known.has(call.id)) {
      this.#result.known += 1;
      return;
    }
    // Calls that were contested or being sent are sent again.
    const state = call.state === 'parked' ? 'parked' : 'queued';
    this.#calls.push({ ...call, state, nextTryAt: 0, doneAt: null, doneSeq: null, created: {} });
    if (this.#calls.length >= callsAtOnce) await this.#putCalls();
  }

  async #putCalls(): Promise<void> {
    const calls = this.#calls;
    this.#calls = [];
    if (calls.length === 0) return;
    this.#deps.sources.core.mustHold();
    for (const { fileId } of calls) if (fileId !== null) this.#needed.add(fileId);
    const taken = await this.#deps.sources.core.work.take(calls);
    this.#result.calls += taken;
    this.#result.known += calls.length - taken;
  }

  async #takeDraft(id: string, stored: Record<string, string>): Promise<void> {
    const { drafts, sources } = this.#deps;
    const mark = await markOf(stored);
    // If the guide was created meanwhile, it contains the words of the draft.
    if (this.#marks.has(mark) || sources.core.outbox.realId(id) !== undefined) {
      this.#result.known += 1;
      return;
    }
    const values = new Map(Object.entries(stored).map(([one, body]) => [one, valueOf(body)]));
    try {
      if ([...values.values()].includes(undefined))
        throw new UnreadableDraft('A part of the draft is damaged');
      const isTaken = await drafts.take(id, values);
      this.#result[isTaken ? 'drafts' : 'known'] += 1;
      await this.#mark([mark]);
    } catch (error) {
      if (!(error instanceof UnreadableDraft)) throw error;
      this.#result.unreadable += 1;
    }
  }

  /**
   * Keeps words, which become a decision when their guide is here. Words that were imported before, or that are in a
   * draft here already, are left out.
   */
  async #keepWords(): Promise<void> {
    const { core } = this.#deps.sources;
    const kept = await firstValueFrom(core.leaving.kept);
    const isKept = ({ collection, recordid, words }: KeptWords): boolean =>
      kept.some(
        (one) => one.collection === collection && one.recordid === recordid && sameValue(one.words, words),
      );
    const fresh: KeptWords[] = [];
    const marks: string[] = [];
    for (const words of this.#words) {
      const mark = await markOf({ place: `${words.collection}/${words.recordid}`, said: words.words });
      const isKnown = this.#marks.has(mark) || this.#known.has(words.id) || isKept(words);
      if (isKnown || this.#isSaid(words)) this.#result.known += 1;
      else {
        fresh.push(words);
        marks.push(mark);
      }
    }
    if (fresh.length === 0) return;
    this.#deps.sources.core.mustHold();
    await core.leaving.keep(fresh);
    await this.#mark(marks);
    this.#result.drafts += fresh.length;
  }

  /** Whether the open draft of the guide contains these words. */
  #isSaid({ collection, recordid, words }: KeptWords): boolean {
    const draft = collection === 'guides' ? this.#deps.drafts.find(recordid)?.draft : undefined;
    if (draft === undefined) return false;
    const content = draft.content();
    const { environment } = this.#deps.sources.core;
    return sameValue(
      withWords(content, words, () => environment.uuid()),
      content,
    );
  }

  async #storedMarks(): Promise<string[]> {
    const { journal } = this.#deps.sources.core;
    const { values } = await journal.changes('meta', 0);
    return z.array(z.string()).catch([]).parse(values.get(this.#marksId()));
  }

  /** Remembers what was imported, so that a second import adds nothing. */
  async #mark(marks: readonly string[]): Promise<void> {
    for (const mark of marks) this.#marks.add(mark);
    const value = [...this.#marks].slice(-mostMarks);
    const { journal } = this.#deps.sources.core;
    await journal.append([{ op: 'put', collection: 'meta', id: this.#marksId(), value }]);
  }

  #marksId(): string {
    return `imported/${this.#home ?? ''}`;
  }
}

/** Most marks of imported words and drafts that are remembered. */
const mostMarks = 2000;

/** A short hash that identifies imported words or drafts. */
async function markOf(value: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(value)));
  return btoa(String.fromCharCode(...new Uint8Array(digest).slice(0, 12)));
}
