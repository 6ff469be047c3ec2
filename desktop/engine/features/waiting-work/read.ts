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

/** Calls that are journalled at once. */
const callsAtOnce = 200;

/**
 * Takes in what `source` holds (README). Throws `Problem` invalid when it is no such file or a newer one, and forbidden
 * when it is of another account or server.
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

/** Throws `Problem` unless the head of a file is of this version and of this account on this server. */
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
  /** Whose work comes in. */
  readonly #home: string | null;
  readonly #result: ImportedWork = { calls: 0, drafts: 0, known: 0, unreadable: 0, isCut: true };
  /** Calls that wait here or that the server has. */
  #known: ReadonlySet<string> = new Set();
  #marks = new Set<string>();
  #calls: OutboxCall[] = [];
  #words: KeptWords[] = [];
  #file: { id: string; type: string; name: string; sha256: string; parts: Uint8Array<ArrayBuffer>[] } | null =
    null;
  #isWhole = false;
  /** Files that this import has put beside the journal, and those that waiting calls will send. */
  readonly #put = new Set<string>();
  readonly #needed = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#home = deps.sources.core.work.home();
  }

  async begin(): Promise<void> {
    const { core } = this.#deps.sources;
    await this.#deps.drafts.toEdit();
    // What waits now is read first: it may be sent while the other is read.
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

  /** Files come before their calls: those whose call did not come, or was not taken, would stay for ever. */
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
    // What this device knows itself counts.
    const fresh = sound.filter(([id]) => core.outbox.realId(id) === undefined);
    await core.work.learnIds(Object.fromEntries(fresh));
  }

  #addBytes(id: string, bytes: string): void {
    if (this.#file?.id === id) this.#file.parts.push(new Uint8Array(fromBase64(bytes)));
  }

  /** A file that lost a part on the way is left out; its call says later that it is missing. */
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
    // What a person had to decide, or was under way, is asked of the server anew.
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
    // A guide that was made meanwhile has its draft's words.
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

  /** Words become a decision as soon as their guide is here; what was taken once, or is said here already, is not taken again. */
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

  /** Whether the open draft of the guide says these words. */
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

  /** Remembers what was taken, so that a second import brings nothing twice. */
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

const mostMarks = 2000;

async function markOf(value: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(value)));
  return btoa(String.fromCharCode(...new Uint8Array(digest).slice(0, 12)));
}
