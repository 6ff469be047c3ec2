import type { OutboxCall } from '../ports.ts';
import type { Answer } from './answers.ts';

/** The answer to a call that was sent alone. */
export function apiAnswer(response: Response, text: string): Answer {
  let body: unknown = null;
  try {
    body = text === '' ? null : JSON.parse(text);
  } catch {
    body = { message: text.slice(0, 200) };
  }
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    rows: [],
    created: {},
    replayed: false,
  };
}

/** An upload answers with the record of the API, not with rows. */
export function createdByUpload(call: OutboxCall, { status, body }: Answer): Record<string, number> {
  if (status < 200 || status > 299) return {};
  const { image, documentid, videoid } = (body ?? {}) as {
    image?: { id?: number };
    documentid?: number;
    videoid?: number;
  };
  const id = image?.id ?? documentid ?? videoid;
  return id === undefined ? {} : { [`tmp:${call.id}`]: id };
}

/** Stands for an answer where the file of an upload is no longer on this device: sending it again is in vain. */
export const fileIsGone: Answer = {
  status: 404,
  headers: {},
  body: { message: 'The file is no longer on this device. Discard this and add the file again.' },
  rows: [],
  created: {},
  replayed: false,
};
