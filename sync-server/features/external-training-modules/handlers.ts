import { externalTrainingModules } from '#shared/api/external-training-modules.ts';
import type { Context } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { cancelImport, createImport, listImports, progressOfImport, representImport } from './imports.ts';
import { listModules, placeImport, representModule, usageOf } from './modules.ts';
import { listResults, playerOfModule, previewOf } from './player.ts';
import {
  mustManageImport,
  mustManageModule,
  mustManageModules,
  mustPlayModule,
  mustSeeModules,
} from './policy.ts';
import { removeImport, removeModule } from './remove.ts';
import { startByUpload, startByUrl } from './start.ts';

type OfModule = { params: { id: number } };
type OfImport = { params: { importid: number } };
const managedModule = ({ params }: OfModule, ctx: Context): Promise<void> => mustManageModule(ctx, params.id);
const managedImport = ({ params }: OfImport, ctx: Context): Promise<void> =>
  mustManageImport(ctx, params.importid);

async function place(ctx: Context, moduleid: number, importid: number, where: 'current' | 'draft') {
  await placeImport(ctx, moduleid, importid, where);
  return ctx.respondWithRecord('trainingModule', moduleid, representModule(ctx, moduleid));
}

export const trainingModuleHandlers = handle(
  externalTrainingModules,
  {
    current: {
      allow: (_, ctx) => mustSeeModules(ctx),
      run: ({ query }, ctx) => listModules(ctx, 'current_importid', query),
    },
    drafts: {
      allow: (_, ctx) => mustManageModules(ctx),
      run: ({ body }, ctx) => listModules(ctx, 'draft_importid', body),
    },
    usage: { allow: managedModule, run: ({ params }, ctx) => usageOf(ctx, params.id) },
    player: {
      allow: ({ params }, ctx) => mustPlayModule(ctx, params.id),
      run: ({ params }, ctx) => playerOfModule(ctx, params.id),
    },
    setCurrent: {
      allow: managedModule,
      run: ({ params, body }, ctx) => place(ctx, params.id, body.importid, 'current'),
    },
    setDraft: {
      allow: managedModule,
      run: ({ params, body }, ctx) => place(ctx, params.id, body.importid, 'draft'),
    },
    imports: { allow: managedModule, run: ({ params }, ctx) => listImports(ctx, params.id) },
    createImport: {
      allow: (_, ctx) => mustManageModules(ctx),
      run: async ({ body }, ctx) => {
        const importid = await createImport(ctx, body);
        return ctx.respondWithRecord('trainingImport', importid, representImport(ctx, importid));
      },
    },
    startByUrl: {
      allow: managedImport,
      run: ({ params, body }, ctx) => startByUrl(ctx, params.importid, body.url),
    },
    startByUpload: {
      allow: managedImport,
      run: ({ params, body }, ctx) => startByUpload(ctx, params.importid, body),
    },
    cancelImport: {
      allow: managedImport,
      run: async ({ params: { importid } }, ctx) => {
        await cancelImport(ctx, importid);
        return ctx.respondWithRecord('trainingImport', importid, representImport(ctx, importid));
      },
    },
    importProgress: {
      allow: managedImport,
      run: ({ params }, ctx) => progressOfImport(ctx, params.importid),
    },
    readImport: {
      allow: managedImport,
      run: ({ params }, ctx) => representImport(ctx, params.importid),
    },
    removeImport: { allow: managedImport, run: ({ params }, ctx) => removeImport(ctx, params.importid) },
    remove: { allow: managedModule, run: ({ params }, ctx) => removeModule(ctx, params.id) },
    preview: { allow: managedImport, run: ({ params }, ctx) => previewOf(ctx, params.importid) },
    results: {
      allow: managedModule,
      run: ({ params, query }, ctx) => listResults(ctx, params.id, query),
    },
  },
  {
    trainingModule: (ctx, id) => {
      mustManageModules(ctx);
      return representModule(ctx, Number(id));
    },
    trainingImport: (ctx, id) => {
      mustManageModules(ctx);
      return representImport(ctx, Number(id));
    },
  },
);
