import { tusType, tusVersion, uploadState, type UploadState } from '#shared/sync/uploads.ts';

import type { ServerConnection } from '../sync/server-connection.ts';
import type { Answering } from '../sync/answering.ts';
import { OtherServerAnswered, Unreachable } from '../sync/connection-errors.ts';
import { refusalIn } from '../sync/recognise.ts';
import { answerFrom } from './api-answer.ts';
import type { Answer } from './answers.ts';

/** Result of sending a file in pieces. `not-offered`: the server is too old for uploads. Otherwise a refusal. */
export type Sent = 'there' | 'not-offered' | Answer;

/** How often an upload that the server does not have is begun in one attempt. */
const mostBeginnings = 2;

const uploads = '/sync/1/uploads';

/**
 * Sends a file to the server's uploads (tus 1.0.0) under the id `id`, and resumes after the bytes that the server has.
 * Resolves to the server's refusal if there is one.
 *
 * Headers of answers are hints, since proxies remove them. Only the state in a body counts. It is requested at the
 * beginning, after every unexpected answer, and before the file counts as arrived.
 *
 * `tus-js-client` is not used: it has its own requests, timers and storage, trusts a header for the offset, and has pieces
 * of one size. To adapt it to `ServerConnection` would take more code than the protocol.
 * @throws Unreachable when the connection broke: the next attempt resumes
 */
export async function sendInPieces(
  connection: ServerConnection,
  id: string,
  file: Uint8Array<ArrayBuffer>,
  pieces: PieceSize,
): Promise<Sent> {
  let last = -1;
  let beginnings = 0;
  let failure = new Unreachable('The upload does not move');
  for (;;) {
    const state = await stateOf(connection, id);
    if ('status' in state) {
      if (state.status !== 404) return state;
      if (refusalIn(state.body)?.code !== 'upload-not-found') return 'not-offered';
      if ((beginnings += 1) > mostBeginnings) throw failure;
      const refused = await ask(connection, '', 'POST', beginning(id, file.length));
      if (refused !== null) return refused;
      last = -1;
    } else if (state.size !== file.length) {
      const refused = await ask(connection, `/${id}`, 'DELETE', {});
      if (refused !== null) return refused;
    } else if (state.offset === state.size) return 'there';
    else if (state.offset <= last) throw failure;
    else {
      last = state.offset;
      try {
        const refused = await addFrom(connection, state, file, pieces);
        if (refused !== null) return refused;
      } catch (error) {
        if (!(error instanceof Unreachable) || error instanceof OtherServerAnswered) throw error;
        pieces.lost();
        failure = error;
      }
    }
  }
}

/** Sends the missing bytes while the answers are as expected. Resolves to a refusal that the state does not explain. */
async function addFrom(
  connection: ServerConnection,
  { upload, offset: from, size }: UploadState,
  file: Uint8Array<ArrayBuffer>,
  pieces: PieceSize,
): Promise<Answer | null> {
  for (let offset = from; offset < size;) {
    const piece = file.subarray(offset, offset + pieces.bytes);
    const answering = await connection.request(`${uploads}/${upload}`, {
      method: 'PATCH',
      headers: { 'Tus-Resumable': tusVersion, 'Content-Type': tusType, 'Upload-Offset': String(offset) },
      body: new Blob([piece]),
    });
    const { status, headers } = answering.response;
    offset += piece.length;
    if (status !== 204) {
      const refused = await refusalOf(connection, answering);
      return status === 404 ? null : refused;
    }
    answering.abort();
    if (headers.get('upload-offset') !== String(offset)) return null;
    pieces.arrived();
  }
  return null;
}

/** The upload as the server has it, or the refusal. */
async function stateOf(connection: ServerConnection, id: string): Promise<UploadState | Answer> {
  const answering = await connection.request(`${uploads}/${id}`);
  const { response } = answering;
  if (!response.ok) return answerFrom(response, await connection.refusal(answering));
  return connection.parsed(answering, uploadState, await connection.text(answering));
}

async function ask(
  connection: ServerConnection,
  path: string,
  method: string,
  headers: Record<string, string>,
): Promise<Answer | null> {
  const init = { method, headers: { 'Tus-Resumable': tusVersion, ...headers } };
  return refusalOf(connection, await connection.request(uploads + path, init));
}

function beginning(id: string, size: number): Record<string, string> {
  return { 'Upload-Length': String(size), 'Upload-Metadata': `key ${btoa(id)}` };
}

/** The server's refusal; null for an empty answer or an upload, since the state is requested next. */
async function refusalOf(connection: ServerConnection, answering: Answering): Promise<Answer | null> {
  const { response } = answering;
  // A 409 holds the upload as it is.
  const isRefusal = !response.ok && response.status !== 409;
  if (isRefusal) return answerFrom(response, await connection.refusal(answering));
  if (response.status !== 204) connection.parsed(answering, uploadState, await connection.text(answering));
  return null;
}

/** Bytes of the first piece, and of those after the connection broke often. */
const smallest = 64 * 1024;
/** Larger pieces save little, and proxies refuse bodies of more than 1 MB. */
const largest = 512 * 1024;
/** Largest share of the file in one piece, since a whole piece can be lost. */
const mostOfWhole = 1 / 32;

/**
 * How many bytes of a file are sent at a time. A piece whose answer is lost may have to be sent again. So pieces begin
 * small, double while they arrive, and stay smaller after each loss (OUTBOX-50).
 */
export class PieceSize {
  #most: number;
  #bytes = smallest;

  /** `total`: bytes of the whole file. `atMost`: bytes of the largest piece. */
  constructor(total: number, atMost = largest) {
    this.#most = Math.max(smallest, Math.min(atMost, Math.floor(total * mostOfWhole)));
  }

  get bytes(): number {
    return this.#bytes;
  }

  arrived(): void {
    this.#bytes = Math.min(this.#most, this.#bytes * 2);
  }

  lost(): void {
    this.#most = Math.max(smallest, Math.floor(this.#most / 2));
    this.#bytes = smallest;
  }
}
