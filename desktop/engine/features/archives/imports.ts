import {
  BehaviorSubject,
  combineLatest,
  distinctUntilChanged,
  map,
  type Observable,
  Subscription,
} from 'rxjs';
import { z } from 'zod';

import { Problem } from '#shared/api/problem.ts';
import { archiveImport, type ArchiveImport } from '#shared/model/archive-record.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import { answerFrom } from '#desktop/engine/outbox/api-answer.ts';
import { recordIn } from '#desktop/engine/sync/own-answer.ts';
import type { Answer } from '#desktop/engine/outbox/answers.ts';
import type { SendApi } from '#desktop/engine/outbox/archive-upload.ts';
import { problemOfAnswer } from './collection.ts';
import { archiveFileId } from '#desktop/engine/storage/archive-record.ts';
import type { ArchiveStore } from './archive-store.ts';
import type { ImportRules } from '#desktop/engine/api/archives.ts';

const oneOrMore = z.union([archiveImport, z.array(archiveImport)]);

/** Interval between two requests for imports that are under way, ms. */
const lookMs = 2000;
/** Number of imports that are listed. */
const shown = 10;

/** Imports archives of this device into the library of the server. */
export class ArchiveImports {
  readonly #core: Core;
  readonly #store: ArchiveStore;
  readonly #list = new BehaviorSubject<ArchiveImport[] | null>(null);
  readonly #subscriptions = new Subscription();
  #followed = false;
  #cancel: (() => void) | null = null;

  constructor(core: Core, store: ArchiveStore) {
    this.#core = core;
    this.#store = store;
  }

  /** The latest imports that the person may see, newest first; null while the server cannot be asked. */
  get list(): Observable<ArchiveImport[] | null> {
    this.#follow();
    return this.#list;
  }

  /**
   * Adds an import to the outbox, with the archive as its file. `trial`: the server reports what the import would do,
   * and changes nothing.
   */
  async queue(archiveid: string, rules: ImportRules, { trial }: { trial: boolean }): Promise<void> {
    const { environment, outbox } = this.#core.held();
    const archive = await this.#store.find(archiveid);
    if (archive === null) throw new Problem('not-found', 'Archive not found');
    const { filename } = archive.record;
    const id = environment.uuid();
    await outbox.add([
      {
        id,
        kind: 'archive-import',
        lane: `archive:${id}`,
        method: 'POST',
        path: '/omanual/imports',
        body: { ...rules, ...(trial && { dry_run: true }) },
        fileId: archiveFileId(archiveid),
        target: { collection: 'media', id: `tmp:${id}` },
        subject: filename,
      },
    ]);
  }

  /** Runs an import that was tried out. */
  async run(importid: number, rules: ImportRules): Promise<void> {
    read(await this.#send()('POST', `/omanual/imports/${importid}/run`, { json: rules }));
    await this.look();
  }

  /** Reverts the effects of an import. */
  async undo(importid: number): Promise<void> {
    read(await this.#send()('POST', `/omanual/imports/${importid}/undo`, { json: {} }));
    await this.look();
  }

  close(): void {
    this.#subscriptions.unsubscribe();
    this.#cancel?.();
  }

  /** Asks the server for the state of its imports, and repeats this while one is under way. */
  async look(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    const answer = await this.#send()('GET', `/omanual/imports?limit=${shown}`).catch(() => null);
    const list = answer?.status === 200 ? z.array(archiveImport).parse(answer.body) : null;
    this.#list.next(list);
    if (list?.some(isUnderWay) === true)
      this.#cancel = this.#core.environment.setTimer(() => void this.look(), lookMs);
  }

  #follow(): void {
    if (this.#followed) return;
    this.#followed = true;
    const { session, environment, outbox } = this.#core;
    const presentAccount = combineLatest([session.state, environment.online]).pipe(
      map(([{ status, server, user }, online]) =>
        online && status === 'signed-in' ? `${server} ${user?.userid}` : null,
      ),
      distinctUntilChanged(),
    );
    this.#subscriptions.add(
      presentAccount.subscribe((account) => {
        if (account === null) this.#list.next(null);
        else void this.look();
      }),
    );
    const left = outbox.calls.pipe(
      map((calls) => calls.filter(({ kind, state }) => kind === 'archive-import' && state !== 'done').length),
      distinctUntilChanged(),
    );
    this.#subscriptions.add(left.subscribe(() => this.#list.value !== null && void this.look()));
  }

  #send(): SendApi {
    const core = this.#core;
    return async (method, path, body) => {
      const isBytes = body !== undefined && 'bytes' in body;
      const type = isBytes ? 'application/octet-stream' : 'application/json';
      const response = await core.request(`/api/2.0${path}`, {
        method,
        ...(body !== undefined && {
          headers: { 'Content-Type': type, 'Idempotency-Key': core.environment.uuid() },
          body: isBytes ? new Blob([body.bytes]) : JSON.stringify('json' in body ? body.json : null),
        }),
      });
      if (!response.ok) return answerFrom(response, await response.json());
      return answerFrom(response, await recordIn(response, oneOrMore, path));
    };
  }
}

function isUnderWay({ state, undo }: ArchiveImport): boolean {
  const isOpen = (one: string | undefined): boolean => one === 'waiting' || one === 'running';
  return isOpen(state) || isOpen(undo?.state);
}

/** The import in a response. Throws a `Problem` with the server's message. */
function read({ status, body }: Answer): ArchiveImport {
  if (status < 300) return archiveImport.parse(body);
  throw problemOfAnswer(status, body);
}
