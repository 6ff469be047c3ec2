import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { artefactName, updateFileName } from '#shared/model/desktop-update.ts';
import { sendFile } from '#server/http/send-file.ts';

import { updatesFolder } from './folder.ts';

/**
 * Serves the published update of the desktop app, such as `/desktop/updates/update.json`.
 *
 * - UPDATE-21 Anyone can read the files of the update, also in parts, and a client that has a file does not get it
 *   again. No address leads to another file.
 */
export function mountDesktopUpdates(app: FastifyInstance, dataDir: string): void {
  app.get<{ Params: { file: string } }>('/desktop/updates/:file', async (request, reply) => {
    const { file } = request.params;
    const isName = file === updateFileName || artefactName.safeParse(file).success;
    const path = join(updatesFolder(dataDir), file);
    const found = isName && !file.endsWith('.part') ? await stat(path).catch(() => null) : null;
    if (found?.isFile() !== true) throw new Problem('not-found', 'There is no such file of an update');
    const etag = `${found.ino.toString(36)}-${found.size.toString(36)}-${found.mtimeMs.toString(36)}`;
    const type = file === updateFileName ? 'application/json' : 'application/octet-stream';
    return sendFile(request, reply, path, {
      type,
      etag,
      isPublic: false,
      disposition: `attachment; filename="${file}"`,
    });
  });
}
