import { z } from 'zod';

import { media } from '#shared/api/media.ts';

import type { ServerConnection } from '../sync/server-connection.ts';
import type { Answering } from '../sync/answering.ts';
import type { OutboxCall } from '../platform/ports.ts';
import { jsonIn, recognises, refusalIn } from '../sync/recognise.ts';
import type { Answer } from './answers.ts';

/** Schema of the answer to an upload, by the kind of the call. */
export const uploadResults = {
  'upload-image': media.addImage.result,
  'upload-document': media.addDocument.result,
  'upload-video': media.addVideo.result,
} as const;

/**
 * The answer to a call that was sent alone. `result`: schema of a success, and of the record in a 409.
 * @throws ForeignAnswer when the body is neither that nor a refusal of the server
 */
export async function apiAnswer(
  connection: ServerConnection,
  answering: Answering,
  result: z.ZodType,
): Promise<Answer> {
  const { response } = answering;
  const text = await connection.text(answering);
  const body = jsonIn(text);
  const isRecord = (response.ok || response.status === 409) && recognises(result, body);
  const isRefusal = !response.ok && refusalIn(body) !== null;
  if (!isRecord && !isRefusal) throw connection.foreign(answering, text);
  connection.recognised(answering);
  return answerFrom(response, body);
}

/** An answer that was recognised already. */
export function answerFrom(response: Response, body: unknown): Answer {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    rows: [],
    created: {},
    replayed: false,
  };
}

/** Ids of the file that an upload created. */
const uploaded = z.object({
  image: z.object({ id: z.int() }).optional(),
  documentid: z.int().optional(),
  videoid: z.int().optional(),
});

/** The real id of an upload's file by its temporary id. Uploads answer with a record of the API, without feed rows. */
export function createdByUpload(call: OutboxCall, { status, body }: Answer): Record<string, number> {
  if (status < 200 || status > 299) return {};
  const { image, documentid, videoid } = uploaded.safeParse(body).data ?? {};
  const id = image?.id ?? documentid ?? videoid;
  return id === undefined ? {} : { [`tmp:${call.id}`]: id };
}

/** Answer for an upload whose file is no longer on this device: it cannot be sent again. */
export const fileIsGone: Answer = {
  status: 404,
  headers: {},
  body: { message: 'The file is no longer on this device. Discard this and add the file again.' },
  rows: [],
  created: {},
  replayed: false,
};
