import { Problem } from '#shared/api/problem.ts';
import {
  completionStatus,
  successStatus,
  type TrainingPlayer,
  type TrainingResult,
} from '#shared/model/training.ts';
import { actingFrom } from '#server/storage/audit/origin.ts';
import { mustUserid, type Context } from '#server/core/context.ts';
import { readPage } from '#server/storage/read-page.ts';
import { appOriginOf } from '#server/features/training/origins.ts';
import { mustActAsOneself } from '#server/features/tokens/proof.ts';
import { issueLink } from '#server/features/training/player/sessions.ts';

import { mustFindVersion } from './imports.ts';
import { mustFindModule } from './modules.ts';

/** The address at which the caller can play the current version of a module; throws 404 if it has none. */
export async function playerOfModule(ctx: Context, moduleid: number): Promise<TrainingPlayer> {
  const { current_importid } = await mustFindModule(ctx.db, moduleid);
  if (current_importid === null) throw new Problem('not-found', 'The module has no current version yet');
  return playerOf(ctx, current_importid, false);
}

/**
 * The address of a preview of an import.
 *
 * - TRAINING-16 Previews are for people who manage modules. They start from the beginning each time and have no
 *   results.
 */
export function previewOf(ctx: Context, importid: number): Promise<TrainingPlayer> {
  return playerOf(ctx, importid, true);
}

async function playerOf(ctx: Context, importid: number, preview: boolean): Promise<TrainingPlayer> {
  // A module reports with a token of its own, which does not identify the administrator.
  mustActAsOneself(ctx, 'cannot open training modules');
  const { row, package: found } = await mustFindVersion(ctx.db, importid);
  const origin = appOriginOf(ctx.baseUrl, { named: ctx.services.namedOrigins });
  // Fails now if the module cannot be played.
  await ctx.services.training.origins.open(row.moduleid, origin);
  const services = actingFrom(ctx.services, ctx.address);
  const play = { importid, userid: mustUserid(ctx), preview, session: ctx.viewer.tokenHash };
  const link = await issueLink(services, play);
  return {
    external_training_moduleid: row.moduleid,
    importid,
    title: found.title,
    standard: found.standard,
    url: `${origin}/modules/open/${link.token}`,
    expires: link.expires,
  };
}

/** A page of the results in all versions of a module, ordered by person and version. */
export async function listResults(
  ctx: Context,
  moduleid: number,
  page: { limit: number; offset: number },
): Promise<TrainingResult[]> {
  const select = ctx.db
    .selectFrom('training_registrations as registration')
    .innerJoin('training_imports', 'training_imports.importid', 'registration.importid')
    .selectAll('registration')
    .select('vendor_version_number')
    .where('moduleid', '=', moduleid)
    .where('preview', '=', 0)
    .orderBy('registration.userid')
    .orderBy('vendor_version_number');
  const rows = await readPage(ctx, select, page);
  return rows.map((row) => ({
    importid: row.importid,
    vendor_version_number: row.vendor_version_number,
    userid: row.userid,
    completion: completionStatus.parse(row.completion),
    success: successStatus.parse(row.success),
    score: row.score,
    init_date: row.init_date,
    modified_date: row.modified_date,
    completed_date: row.completed_date,
  }));
}
