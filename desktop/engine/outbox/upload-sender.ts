import type { z } from 'zod';

import { archiveImport } from '#shared/model/archive-record.ts';
import type { BatchCall } from '#shared/sync/wire.ts';
import type { ByteSource } from '#shared/omanual/source.ts';

import { JournalError, type Journal } from '../journal/journal.ts';
import type { Answering, Link } from '../link.ts';
import type { Environment, OutboxCall } from '../ports.ts';
import type { Answer } from './answers.ts';
import { type SendApi, sendImport } from './archive-upload.ts';
import { createdByUpload, fileIsGone, uploadResults } from './api-answer.ts';

export interface UploadWorld {
  environment: Environment;
  link: Link;
  journal: Journal;
  /** The file of an archive that a call names; null when this device does not have it any more. */
  archive(fileId: string): Promise<ByteSource | null>;
  /** Reads the answer to one call of the API; `result` is what the contract promises for a success. */
  readAnswer(answering: Answering, result: z.ZodType): Promise<Answer>;
}

/** A slow uplink of 16 KB/s must be able to finish a part, ms. */
const archivePartMs = 5 * 60_000;

/** Sends calls that carry a file, one at a time. */
export class UploadSender {
  readonly #world: UploadWorld;

  constructor(world: UploadWorld) {
    this.#world = world;
  }

  /**
   * Sends the file of `call`; `request` is the call with the ids of the server. Resolves with the server's answer.
   * @throws Unreachable when there is none
   */
  async send(call: OutboxCall, fileId: string, request: BatchCall): Promise<Answer> {
    if (call.kind === 'archive-import') return this.#sendArchive(call, fileId);
    const file = await this.#readFile(fileId);
    if (file === null) return fileIsGone;
    const { path, query = {} } = request;
    const search = new URLSearchParams(query).toString();
    const headers = { 'Content-Type': file.type || 'application/octet-stream', 'Idempotency-Key': call.id };
    const answering = await this.#world.link.request(
      `/api/2.0${path}${search === '' ? '' : `?${search}`}`,
      { method: 'POST', body: new Blob([new Uint8Array(file.bytes)]), headers },
      // A slow uplink of 16 KB/s must be able to finish.
      60_000 + file.size / 16,
    );
    const answer = await this.#world.readAnswer(
      answering,
      uploadResults[call.kind as keyof typeof uploadResults],
    );
    return { ...answer, created: createdByUpload(call, answer) };
  }

  /** The file of an import goes in parts, so that a large one can be taken up where it broke off. */
  async #sendArchive(call: OutboxCall, fileId: string): Promise<Answer> {
    const { environment, link } = this.#world;
    const source = await this.#world.archive(fileId);
    if (source === null) return fileIsGone;
    const send: SendApi = async (method, path, body) => {
      const isBytes = body !== undefined && 'bytes' in body;
      const type = isBytes ? 'application/octet-stream' : 'application/json';
      const key = method === 'POST' ? call.id : environment.uuid();
      const answering = await link.request(
        `/api/2.0${path}`,
        {
          method,
          headers: { 'Content-Type': type, 'Idempotency-Key': key },
          ...(body !== undefined && {
            body: isBytes ? new Blob([body.bytes]) : JSON.stringify('json' in body ? body.json : null),
          }),
        },
        archivePartMs,
      );
      return this.#world.readAnswer(answering, archiveImport);
    };
    return sendImport(send, Object(call.body) as object, call.subject, source);
  }

  /** The bytes of an upload; null when this device has lost them, for which only the person can find a way. */
  async #readFile(id: string): Promise<Awaited<ReturnType<Journal['readFile']>> | null> {
    try {
      return await this.#world.journal.readFile(id);
    } catch (error) {
      if (error instanceof JournalError && (error.kind === 'missing' || error.kind === 'damaged'))
        return null;
      throw error;
    }
  }
}
