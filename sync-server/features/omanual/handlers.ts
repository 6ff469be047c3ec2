import { omanual } from '#shared/api/omanual.ts';
import type { Context } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { downloadCollected, listCollection } from './collection.ts';
import {
  cancelImport,
  createImport,
  listImports,
  mustImport,
  mustSeeImport,
  representArchiveImport,
  runAgain,
  undoImport,
  uploadPart,
} from './imports.ts';
import { beginMaking, downloadMade, listMade, mustMake, removeMade, representMade } from './made.ts';

interface WithImport {
  params: { importid: number };
}

async function maySeeImport({ params }: WithImport, ctx: Context): Promise<void> {
  await mustSeeImport(ctx, params.importid);
}

export const omanualHandlers = handle(
  omanual,
  {
    list: (_, ctx) => listCollection(ctx),
    download: ({ params, query }, ctx) => downloadCollected(ctx, params.name, query.hash),
    listMade: ({ query }, ctx) => listMade(ctx, query),
    make: { allow: (_, ctx) => mustMake(ctx), run: ({ body }, ctx) => beginMaking(ctx, body) },
    readMade: ({ params }, ctx) => representMade(ctx, params.archiveid),
    downloadMade: ({ params }, ctx) => downloadMade(ctx, params.archiveid),
    removeMade: {
      allow: async ({ params }, ctx) => void (await representMade(ctx, params.archiveid)),
      run: ({ params }, ctx) => removeMade(ctx, params.archiveid),
    },
    listImports: ({ query }, ctx) => listImports(ctx, query),
    createImport: { allow: (_, ctx) => mustImport(ctx), run: ({ body }, ctx) => createImport(ctx, body) },
    readImport: {
      allow: maySeeImport,
      run: ({ params }, ctx) => representArchiveImport(ctx, params.importid),
    },
    uploadPart: {
      allow: maySeeImport,
      run: ({ params, query, body }, ctx) => uploadPart(ctx, params.importid, query.offset, body),
    },
    runImport: {
      allow: async (input, ctx) => {
        await maySeeImport(input, ctx);
        mustImport(ctx);
      },
      run: ({ params, body }, ctx) => runAgain(ctx, params.importid, body),
    },
    cancelImport: { allow: maySeeImport, run: ({ params }, ctx) => cancelImport(ctx, params.importid) },
    undoImport: {
      allow: maySeeImport,
      run: ({ params, body }, ctx) => undoImport(ctx, params.importid, body.force),
    },
  },
  {
    archive: (ctx, id) => representMade(ctx, Number(id)),
    archiveImport: (ctx, id) => representArchiveImport(ctx, Number(id)),
  },
);
