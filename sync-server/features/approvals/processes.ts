import type { Selectable } from 'kysely';

import type { NewProcess, NewStage, ProcessEdit } from '#shared/api/approvals.ts';
import { invalid, notFound } from '#shared/api/problem.ts';
import type { ApprovalProcess, ApprovalStage } from '#shared/model/approval.ts';
import type { Privilege } from '#shared/model/user.ts';
import { searchName } from '#shared/rules/search-name.ts';
import { isBeyondKiosk } from '#shared/rules/kiosk.ts';
import type { Context } from '#server/core/context.ts';
import { contains } from '#server/storage/dialect.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

type ProcessRow = Selectable<Tables['approval_processes']>;

/** The process; throws 404 if it does not exist. */
export async function mustFindProcess(db: Db, approval_processid: number): Promise<ApprovalProcess> {
  const rows = await db
    .selectFrom('approval_processes')
    .selectAll()
    .where('approval_processid', '=', approval_processid)
    .execute();
  const [found] = await processesOfRows(db, rows);
  if (found === undefined) throw notFound('Approval process');
  return found;
}

/** Processes ordered by id; with `phrase`, those whose name contains it. */
export async function listProcesses(
  ctx: Context,
  page: { limit: number; offset: number },
  phrase?: string,
): Promise<ApprovalProcess[]> {
  let select = ctx.db.selectFrom('approval_processes').selectAll().orderBy('approval_processid');
  if (phrase !== undefined) select = select.where(contains(ctx.db, 'name_search', searchName(phrase.trim())));
  return processesOfRows(ctx.db, await readPage(ctx, select, page));
}

async function processesOfRows(db: Db, rows: readonly ProcessRow[]): Promise<ApprovalProcess[]> {
  const ids = rows.map((row) => row.approval_processid);
  if (ids.length === 0) return [];
  const stages = await db
    .selectFrom('approval_stages')
    .selectAll()
    .where('approval_processid', 'in', ids)
    .orderBy('orderby')
    .execute();
  const categories = await db
    .selectFrom('category_approvals')
    .selectAll()
    .where('approval_processid', 'in', ids)
    .orderBy('wikiid')
    .execute();
  return rows.map(({ name_search: _search, ...row }) => ({
    ...row,
    stages: stages.filter((one) => one.approval_processid === row.approval_processid).map(stageOf),
    wikiids: categories
      .filter((one) => one.approval_processid === row.approval_processid)
      .map((one) => one.wikiid),
  }));
}

function stageOf(row: Selectable<Tables['approval_stages']>): ApprovalStage {
  const { approval_processid: _process, userids, teamids, ...stage } = row;
  return {
    ...stage,
    userids: JSON.parse(userids) as number[],
    teamids: JSON.parse(teamids) as number[],
  };
}

/**
 * Creates a process and returns its id.
 *
 * - APPROVAL-1 Administrators create and edit processes. A stage names existing people or teams, and at least as many
 *   people as signatures; disabled accounts and kiosks do not count. Everyone who is signed in can read processes.
 *   Kiosks take no part in approvals, because their user is unknown.
 */
export async function createProcess(ctx: Context, body: NewProcess): Promise<number> {
  const { name, description, stages } = body;
  const { approval_processid } = await ctx.db
    .insertInto('approval_processes')
    .values({
      name,
      name_search: searchName(name),
      description,
      created_date: ctx.seconds,
      modified_date: ctx.seconds,
    })
    .returning('approval_processid')
    .executeTakeFirstOrThrow();
  await setStages(ctx, approval_processid, stages);
  return approval_processid;
}

/**
 * Changes the fields that `edit` names.
 *
 * - APPROVAL-2 Editing a process does not affect open requests: they keep their stages.
 */
export async function editProcess(
  ctx: Context,
  approval_processid: number,
  edit: ProcessEdit,
): Promise<void> {
  const { name, description, stages } = edit;
  if (name === undefined && description === undefined && stages === undefined) return;
  await ctx.db
    .updateTable('approval_processes')
    .set({
      ...(name === undefined ? {} : { name, name_search: searchName(name) }),
      ...(description === undefined ? {} : { description }),
      modified_date: ctx.seconds,
    })
    .where('approval_processid', '=', approval_processid)
    .execute();
  if (stages !== undefined) await setStages(ctx, approval_processid, stages);
}

/** Replaces the stages; a stage given with its id keeps it. Throws 422 for unknown stages, people and teams. */
async function setStages(ctx: Context, approval_processid: number, stages: NewStage[]): Promise<void> {
  const known = await ctx.db
    .selectFrom('approval_stages')
    .select('approval_stageid')
    .where('approval_processid', '=', approval_processid)
    .execute();
  const kept = stages.flatMap(({ approval_stageid: id }) => (id === undefined ? [] : [id]));
  for (const [index, stage] of stages.entries()) {
    const { approval_stageid: id } = stage;
    if (id !== undefined && !known.some((one) => one.approval_stageid === id))
      throw invalid('stages', `The process has no stage ${id}`, index);
    if (id !== undefined && kept.indexOf(id) !== kept.lastIndexOf(id))
      throw invalid('stages', `Stage ${id} is named twice`, index);
    await mustBeSignable(ctx.db, stage, index);
  }
  const stale = ctx.db.deleteFrom('approval_stages').where('approval_processid', '=', approval_processid);
  await (kept.length === 0 ? stale : stale.where('approval_stageid', 'not in', kept)).execute();
  for (const [index, stage] of stages.entries()) await saveStage(ctx.db, approval_processid, stage, index);
}

/**
 * Throws 422 unless the people and teams exist and enough people may sign: disabled accounts and kiosks do not count.
 * A stage with a team is not counted, because the size of a team can change.
 */
async function mustBeSignable(db: Db, stage: NewStage, index: number): Promise<void> {
  const userids = [...new Set(stage.userids)];
  const teamids = [...new Set(stage.teamids)];
  if (userids.length + teamids.length === 0)
    throw invalid('stages', 'Name people or teams who sign in this stage', index);
  const signers = await possibleSigners(db, userids, index);
  if (teamids.length === 0 && signers < stage.required_approvals)
    throw invalid(
      'stages',
      stage.required_approvals === 1
        ? 'Name somebody whose account is enabled and is no kiosk'
        : `${stage.required_approvals} signatures need as many people whose account is enabled and is no kiosk`,
      index,
    );
  if (teamids.length === 0) return;
  const found = await db.selectFrom('teams').select('teamid').where('teamid', 'in', teamids).execute();
  const unknown = teamids.find((teamid) => !found.some((one) => one.teamid === teamid));
  if (unknown !== undefined) throw invalid('stages', `There is no team ${unknown}`, index);
}

/** How many of these people may sign. Throws 422 if one of them does not exist. */
async function possibleSigners(db: Db, userids: readonly number[], index: number): Promise<number> {
  if (userids.length === 0) return 0;
  const found = await db
    .selectFrom('users')
    .select(['userid', 'enabled', 'privileges'])
    .where('userid', 'in', userids)
    .execute();
  const unknown = userids.find((userid) => !found.some((one) => one.userid === userid));
  if (unknown !== undefined) throw invalid('stages', `There is no user ${unknown}`, index);
  return found.filter(
    ({ enabled, privileges }) =>
      enabled === 1 &&
      !isBeyondKiosk({ privileges: JSON.parse(privileges) as Privilege[] }, 'approvalRequest.sign'),
  ).length;
}

async function saveStage(
  db: Db,
  approval_processid: number,
  { approval_stageid, name, meaning, required_approvals, userids, teamids }: NewStage,
  index: number,
): Promise<void> {
  const row = {
    orderby: index + 1,
    name,
    meaning,
    required_approvals,
    userids: JSON.stringify([...new Set(userids)]),
    teamids: JSON.stringify([...new Set(teamids)]),
  };
  if (approval_stageid === undefined)
    await db
      .insertInto('approval_stages')
      .values({ approval_processid, ...row })
      .execute();
  else
    await db
      .updateTable('approval_stages')
      .set(row)
      .where('approval_stageid', '=', approval_stageid)
      .execute();
}
