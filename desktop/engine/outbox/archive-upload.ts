import { archiveImport } from '#shared/model/archive-record.ts';
import type { ByteSource } from '#shared/formats/omanual/source.ts';

import type { Answer } from './answers.ts';
import { PieceSize } from './resumable.ts';

/** Bytes of the largest part. */
const largestPart = 4 * 1024 * 1024;

/** Sends a request to the API and reads its whole answer. */
export type SendApi = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: { bytes: Uint8Array<ArrayBuffer> } | { json: unknown },
) => Promise<Answer>;

/**
 * Begins an import and sends its file in parts, or resumes one after the bytes that the server has. Resolves to the first
 * refusal, or to the answer to the last part, with which the import begins. `progress` receives the bytes that were sent.
 */
export async function sendImport(
  send: SendApi,
  rules: object,
  filename: string,
  source: ByteSource,
  progress: (done: number) => void = () => undefined,
): Promise<Answer> {
  const parts = new PieceSize(source.size, largestPart);
  let answer = await send('POST', '/omanual/imports', { json: { ...rules, filename, size: source.size } });
  for (;;) {
    if (answer.status > 299) return answer;
    const { importid, state, received } = archiveImport.parse(answer.body);
    progress(received);
    if (state !== 'uploading') return answer;
    const bytes = await source.read(received, Math.min(parts.bytes, source.size - received));
    answer = await send('PUT', `/omanual/imports/${importid}/file?offset=${received}`, { bytes });
    parts.arrived();
  }
}
