import type { Guide } from '#shared/model/guide-record.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';
import type { FeedRow } from '#shared/sync/wire.ts';

import type { Decision } from './choices.ts';
import type { Edited, Shown } from './device.ts';
import type { OrderMove, Plan, Round, Stay } from './plan.ts';
import type { RemoteDevice, World } from './world.ts';

export type Side = 'left' | 'right';

/** The actions of one device in a round, and what its person saw. */
export interface Doing {
  edits: Edited[];
  decisions: Decision[];
  comments: string[];
  favorite: boolean | null;
  order: { workorderid: string; moves: OrderMove[] } | null;
}

/** Everything needed to check a round. */
export interface Outcome {
  doings: Record<Side, Doing>;
  /** The views of each device after the round. */
  shown: Record<Side, Shown>;
  guide: Guide;
  /** The guide with the keys of its steps, as the left device would edit it. */
  content: GuideContent;
  /** Feed rows since the round began, newest state, as each person may see them. */
  rows: Record<Side, FeedRow[]>;
}

const sides = ['left', 'right'] as const;

/** Plays a plan. Yields the outcome of each round. */
export async function* runPlan(world: World, plan: Plan): AsyncGenerator<Outcome> {
  await Promise.all(sides.map((side) => world[side].begin(plan.seed)));
  const guideid = await world.server.newGuide(`Guide of seed ${plan.seed}`, plan.steps);
  const id = String(guideid);
  const { revisionid } = await world.server.guide(guideid);
  await Promise.all(sides.map((side) => world[side].sees(id, revisionid)));
  for (const [number, round] of plan.rounds.entries()) {
    const since = await world.server.place();
    const doings = await playRound(world, plan, number, round, id);
    yield await lookAround(world, guideid, doings, since);
  }
}

async function playRound(
  world: World,
  plan: Plan,
  number: number,
  round: Round,
  guideid: string,
): Promise<Record<Side, Doing>> {
  const labelOf = (side: Side, part: string): string => `${side[0]}${plan.seed}n${number}${part}x`;
  const stay = async (side: Side): Promise<Doing> => {
    await world[side].disconnect();
    return stayAway(world[side], round[side], guideid, (part) => labelOf(side, part));
  };
  const [left, right] = await Promise.all([stay('left'), stay('right')]);
  const doings = { left, right };
  const comeBack = async (side: Side): Promise<void> => {
    await goOnline(world[side], round[side], guideid, doings[side], labelOf(side, 'f'));
  };
  if (round.returns === 'together') await Promise.all(sides.map(comeBack));
  else for (const side of round.returns === 'left-first' ? sides : sides.toReversed()) await comeBack(side);
  await Promise.all(sides.map((side) => world[side].deliverLate()));
  return doings;
}

/** The offline actions of a person. */
async function stayAway(
  device: RemoteDevice,
  stay: Stay,
  guideid: string,
  labelOf: (part: string) => string,
): Promise<Doing> {
  const doing: Doing = { edits: [], decisions: [], comments: [], favorite: null, order: null };
  for (const [index, edits] of stay.saves.entries())
    doing.edits.push(await device.edit(guideid, edits, labelOf(`s${index}`)));
  for (const [index, isChanged] of stay.comments.entries()) {
    const text = `comment ${labelOf(`c${index}`)}`;
    const commentid = await device.act('comment', 'guide', guideid, text);
    if (isChanged) await device.act('editComment', commentid, `${text} changed`);
    doing.comments.push(isChanged ? `${text} changed` : text);
  }
  for (let n = 0; n < stay.favorites; n += 1) {
    doing.favorite = !(doing.favorite ?? (await device.shown(guideid)).guide?.favorite ?? false);
    await device.act('favorite', guideid, doing.favorite);
  }
  if (stay.order !== null) doing.order = await workOn(device, stay.order, guideid, labelOf('o'));
  if (stay.restarts) await device.restart();
  return doing;
}

/** A work order from its start through the planned transitions. */
async function workOn(
  device: RemoteDevice,
  planned: readonly OrderMove[],
  guideid: string,
  workorderid: string,
): Promise<Doing['order']> {
  const entryid = await device.act('startWorkOrder', guideid, workorderid);
  const steps = (await device.shown(guideid)).guide?.steps ?? [];
  const moves: OrderMove[] = [];
  let entered: string | null = null;
  for (const [index, move] of planned.entries()) {
    if (move === 'step') {
      // Steps created offline have no number yet; the server accepts only known ones.
      const known = steps.filter(({ stepid }) => !stepid.startsWith('tmp:'));
      const stepid = known[index % Math.max(1, known.length)]?.stepid ?? null;
      if (stepid === null || stepid === entered) continue;
      entered = stepid;
      await device.act('enterStep', entryid, stepid);
    } else await device.act('moveWorkOrder', entryid, move);
    moves.push(move);
  }
  return { workorderid, moves };
}

async function goOnline(
  device: RemoteDevice,
  stay: Stay,
  guideid: string,
  doing: Doing,
  label: string,
): Promise<void> {
  if (stay.flap !== null) {
    await device.connect(stay.faults, stay.flap.batches);
    await device.flap();
    if (!(await isContested(device, guideid)))
      doing.edits.push(await device.edit(guideid, stay.flap.edits, label));
  }
  await device.connect(stay.flap === null ? stay.faults : [], null);
  doing.decisions.push(...(await device.rest(guideid, stay.choices)));
}

async function isContested(device: RemoteDevice, guideid: string): Promise<boolean> {
  return (await device.shown(guideid)).state.conflicts > 0;
}

async function lookAround(
  world: World,
  guideid: number,
  doings: Record<Side, Doing>,
  since: string,
): Promise<Outcome> {
  const guide = await world.server.guide(guideid);
  const id = String(guideid);
  await Promise.all(sides.map((side) => world[side].sees(id, guide.revisionid)));
  await Promise.all(sides.map((side) => world[side].rest()));
  const [left, right] = await Promise.all(sides.map((side) => world[side].shown(id)));
  if (left === undefined || right === undefined) throw new Error('Expected two devices');
  const moved = await world.server.moved(since);
  return {
    doings,
    shown: { left, right },
    guide,
    content: await world.left.content(id),
    rows: { left: moved.ana, right: moved.ben },
  };
}
