import type { z } from 'zod';

import { archiveImport } from '#shared/model/archive-record.ts';
import { recordedHeaders } from '#shared/rules/stations.ts';
import { resumableFrom } from '#shared/sync/uploads.ts';
import type { BatchCall } from '#shared/sync/wire.ts';
import type { ByteSource } from '#shared/formats/omanual/source.ts';

import { runningSha256 } from '../platform/sha256.ts';
import { JournalError, type Journal } from '../journal/journal.ts';
import type { ServerConnection } from '../sync/server-connection.ts';
import type { Answering } from '../sync/answering.ts';
import { Unreachable } from '../sync/connection-errors.ts';
import type { Environment, OutboxCall } from '../platform/ports.ts';
import { refusalIn } from '../sync/recognise.ts';
import type { Answer } from './answers.ts';
import { type SendApi, sendImport } from './archive-upload.ts';
import { refusesSignIn } from './ask-answers.ts';
import { createdByUpload, fileIsGone, uploadResults } from './api-answer.ts';
import { PieceSize, sendInPieces } from './resumable.ts';

export interface UploadDeps {
  environment: Environment;
  connection: ServerConnection;
  journal: Journal;
  /** The file of an archive that a call names; null when this device does not have it any more. */
  archive(fileId: string): Promise<ByteSource | null>;
  /** Reads the answer to one call of the API; `result`: schema of a success. */
  readAnswer(answering: Answering, result: z.ZodType): Promise<Answer>;
}

/** Time limit for a part of an archive, ms: enough at 16 KB/s. */
const archivePartMs = 5 * 60_000;

/** Sends calls that carry a file, one at a time. */
export class UploadSender {
  readonly #deps: UploadDeps;
  /** Sizes of pieces of files that are being sent, by call. */
  readonly #pieces = new Map<string, PieceSize>();

  constructor(deps: UploadDeps) {
    this.#deps = deps;
  }

  /**
   * Sends the file of `call`. `request`: the call with the server's ids. Resolves to the server's answer.
   * @throws Unreachable when there is none
   */
  async send(call: OutboxCall, fileId: string, request: BatchCall): Promise<Answer> {
    const answer = await (call.kind === 'archive-import'
      ? this.#sendArchive(call, fileId)
      : this.#sendFile(call, fileId, request));
    if (answer.status >= 400) await this.#confirm(answer);
    return answer;
  }

  /**
   * Checks a refusal: answers of `/api/2.0` name no server, so it counts only if the server of the home answers a request
   * to `/sync/1` (ACCOUNT-10).
   * @throws Unreachable when it does not answer, or accepts the token that was refused
   */
  async #confirm({ status }: Answer): Promise<void> {
    const isSignedOut = await refusesSignIn(this.#deps.connection);
    if (status === 401 && !isSignedOut) throw new Unreachable('The server takes the token that was refused');
  }

  async #sendFile(call: OutboxCall, fileId: string, request: BatchCall): Promise<Answer> {
    const file = await this.#readFile(fileId);
    if (file === null) return fileIsGone;
    const bytes = new Uint8Array(file.bytes);
    const answer =
      file.size > resumableFrom
        ? await this.#sendLarge(call, request, bytes, file.type)
        : await this.#sendDirectly(call, request, bytes, file.type);
    return { ...answer, created: createdByUpload(call, answer) };
  }

  /** Sends the file in pieces that can be resumed, then the call with the id of the upload. */
  async #sendLarge(
    call: OutboxCall,
    request: BatchCall,
    bytes: Uint8Array<ArrayBuffer>,
    type: string,
  ): Promise<Answer> {
    const pieces = this.#pieces.get(call.id) ?? new PieceSize(bytes.length);
    this.#pieces.set(call.id, pieces);
    const sent = await sendInPieces(this.#deps.connection, call.id, bytes, pieces);
    if (sent === 'not-offered') return this.#sendDirectly(call, request, bytes, type);
    if (sent !== 'there') return sent;
    const named = { upload: call.id, sha256: await sha256Of(bytes) };
    const answer = await this.#perform(call, { ...request, query: { ...request.query, ...named } }, null);
    // If the server no longer has the upload, or removed it as damaged, it is sent again after a wait.
    if (isLost(answer)) throw new Unreachable('The server has lost the uploaded file');
    this.#pieces.delete(call.id);
    return answer;
  }

  #sendDirectly(
    call: OutboxCall,
    request: BatchCall,
    bytes: Uint8Array<ArrayBuffer>,
    type: string,
  ): Promise<Answer> {
    return this.#perform(call, request, new Blob([bytes]), {
      'Content-Type': type || 'application/octet-stream',
    });
  }

  async #perform(
    call: OutboxCall,
    { path, query = {}, recorded_for, recorded_at }: BatchCall,
    body: Blob | null,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const search = new URLSearchParams(query).toString();
    const answering = await this.#deps.connection.request(
      `/api/2.0${path}${search === '' ? '' : `?${search}`}`,
      {
        method: 'POST',
        body,
        headers: {
          ...headers,
          'Idempotency-Key': call.id,
          ...(recorded_for === undefined ? {} : { [recordedHeaders.for]: recorded_for }),
          ...(recorded_at === undefined ? {} : { [recordedHeaders.at]: recorded_at }),
        },
      },
      // Enough time at 16 KB/s.
      60_000 + (body?.size ?? 0) / 16,
    );
    return this.#deps.readAnswer(answering, uploadResults[call.kind as keyof typeof uploadResults]);
  }

  /** Sends the file of an import in parts, so that a large one can be resumed. */
  async #sendArchive(call: OutboxCall, fileId: string): Promise<Answer> {
    const { environment, connection } = this.#deps;
    const source = await this.#deps.archive(fileId);
    if (source === null) return fileIsGone;
    const send: SendApi = async (method, path, body) => {
      const isBytes = body !== undefined && 'bytes' in body;
      const type = isBytes ? 'application/octet-stream' : 'application/json';
      const key = method === 'POST' ? call.id : environment.uuid();
      const answering = await connection.request(
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
      return this.#deps.readAnswer(answering, archiveImport);
    };
    return sendImport(send, Object(call.body) as object, call.subject, source);
  }

  /** The bytes of an upload; null when this device has lost them. */
  async #readFile(id: string): Promise<Awaited<ReturnType<Journal['readFile']>> | null> {
    try {
      return await this.#deps.journal.readFile(id);
    } catch (error) {
      if (error instanceof JournalError && (error.kind === 'missing' || error.kind === 'damaged'))
        return null;
      throw error;
    }
  }
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  using sum = runningSha256();
  await sum.update(bytes);
  // The worker ends with this function, so its answer is awaited here.
  return await sum.digest();
}

/** Codes of refusals that are about the upload and not about the call. */
const lost: ReadonlySet<string> = new Set(['upload-not-found', 'upload-incomplete', 'upload-damaged']);

function isLost({ body }: Answer): boolean {
  const code = refusalIn(body)?.code;
  return typeof code === 'string' && lost.has(code);
}
