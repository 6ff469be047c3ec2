import { forbidden } from '#shared/api/problem.ts';
import { can } from '#server/features/can.ts';
import { editors } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';

import { isAssignedDocument } from '../courses/progress.ts';
import { mustFindImport } from './imports.ts';
import { mustFindModule } from './modules.ts';

/** Throws 403 for accounts that may not see modules: kiosks. */
export function mustSeeModules(ctx: Context): void {
  if (!can(ctx.viewer, 'module.see', null)) throw forbidden();
}

/** Throws 403 unless the caller may manage external training modules. */
export function mustManageModules(ctx: Context): void {
  if (!can(ctx.viewer, 'module.manage', null))
    throw forbidden('Only authors manage external training modules', editors);
}

/** Throws 404 if the module does not exist, 403 unless the caller may manage modules. */
export async function mustManageModule(ctx: Context, moduleid: number): Promise<void> {
  await mustFindModule(ctx.db, moduleid);
  mustManageModules(ctx);
}

/** Throws 404 if the import does not exist, 403 unless the caller may manage modules. */
export async function mustManageImport(ctx: Context, importid: number): Promise<void> {
  await mustFindImport(ctx.db, importid);
  mustManageModules(ctx);
}

/** Throws 404 if the module does not exist, 403 unless the caller is assigned a course with it. */
export async function mustPlayModule(ctx: Context, moduleid: number): Promise<void> {
  await mustFindModule(ctx.db, moduleid);
  const isAssigned = await isAssignedDocument(
    ctx.db,
    ctx.viewer.userid,
    'external_training_module',
    moduleid,
  );
  if (!can(ctx.viewer, 'module.play', { isAssigned }))
    throw forbidden('Only who is assigned to a course with this module plays it');
}
