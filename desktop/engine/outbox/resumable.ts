import { tusType, tusVersion, uploadState, type UploadState } from '#shared/sync/uploads.ts';

import {
  OtherServerAnswered,
  Unreachable,
  type Answering,
  type ServerConnection,
} from '../sync/server-connection.ts';
import { refusalIn } from '../sync/recognise.ts';
import { answerFrom } from './api-answer.ts';
import type { Answer } from './answers.ts';
import type { PieceSize } from './piece-size.ts';

/** What became of sending a file in pieces. `not-offered`: the server is older than uploads. */
export type Sent = 'there' | 'not-offered' | Answer;

/** How often an upload that the server does not have is begun before the next wait. */
const mostBeginnings = 2;

const uploads = '/sync/1/uploads';

/**
 * Sends a file to the server's uploads (tus 1.0.0) under the id `id`, from where the server has it. Resolves with the
 * server's refusal where there is one.
 *
 * Headers of answers are hints, since proxies strip them. What counts is the state that the server tells in a body: it is
 * asked for at the beginning, after everything unexpected, and before the file counts as there.
 * @throws Unreachable when the way broke: the next call goes on
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

/** Sends what is missing while the answers are as expected; resolves with a refusal that the state does not explain. */
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

/** The server's refusal; null where nothing or an upload was answered: the state that is asked for next tells more. */
async function refusalOf(connection: ServerConnection, answering: Answering): Promise<Answer | null> {
  const { response } = answering;
  // A 409 holds the upload as it is.
  const isRefusal = !response.ok && response.status !== 409;
  if (isRefusal) return answerFrom(response, await connection.refusal(answering));
  if (response.status !== 204) connection.parsed(answering, uploadState, await connection.text(answering));
  return null;
}
