import { rm } from 'node:fs/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { OtherAnswer, OtherForm } from '#shared/api/endpoint.ts';
import { sendFile, type SentFile } from './send-file.ts';

/** A text response that is not JSON: a document or a page. */
export class TextAnswer implements OtherAnswer {
  readonly otherAnswer = true;
  readonly form: OtherForm;
  readonly text: string;
  /** Additional headers. */
  readonly headers: Record<string, string>;

  constructor(form: OtherForm, text: string, headers: Record<string, string> = {}) {
    this.form = form;
    this.text = text;
    this.headers = headers;
  }
}

/** A file on disk. `once`: it is removed after the response. */
export class FileAnswer implements OtherAnswer {
  readonly otherAnswer = true;
  readonly form: OtherForm;
  readonly path: string;
  readonly file: Omit<SentFile, 'type'>;
  readonly once: boolean;

  constructor(form: OtherForm, path: string, file: Omit<SentFile, 'type'>, once = false) {
    this.form = form;
    this.path = path;
    this.file = file;
    this.once = once;
  }
}

export function isOtherAnswer(body: unknown): body is TextAnswer | FileAnswer {
  return body instanceof TextAnswer || body instanceof FileAnswer;
}

/** Sends a response that is not JSON. Files can be requested in ranges. */
export function sendOther(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: TextAnswer | FileAnswer,
): FastifyReply | Promise<FastifyReply> {
  if (answer instanceof FileAnswer) {
    if (answer.once) removeWhenOver(reply, answer.path);
    const type = answer.form === 'text/html' ? `${answer.form}; charset=utf-8` : answer.form;
    return sendFile(request, reply, answer.path, { ...answer.file, type });
  }
  return reply
    .type(`${answer.form}; charset=utf-8`)
    .headers({ 'X-Content-Type-Options': 'nosniff', ...answer.headers })
    .send(answer.text);
}

/** Removes the file when the response ends, including when the client disconnects before or while it is sent. */
function removeWhenOver(reply: FastifyReply, path: string): void {
  const remove = (): void => void rm(path, { force: true }).catch(() => undefined);
  if (reply.raw.destroyed) remove();
  else reply.raw.once('close', remove);
}
