import type { DoingKind } from '../plan.ts';
import type { SeenOf } from '../user-session.ts';
import { wordsIn } from '../words.ts';
import type { Acting, Perform } from './acting.ts';
import { pictureFile } from './picture-file.ts';

/** Actions on work orders. */
export const orderDoings = {
  'start-order': startOrder,
  'move-order': moveOrder,
  'step-order': enterStep,
  value: recordValue,
  photo: recordPhoto,
  'own-order': frozenOrder,
} satisfies Partial<Record<DoingKind, Perform>>;

type Order = SeenOf<'workOrders'>[number];
type Guide = NonNullable<SeenOf<'guide'>>;
type Field = Guide['steps'][number]['fields'][number];

async function startOrder(acting: Acting): Promise<void> {
  const guide = await acting.guide();
  if (guide === null) return;
  const word = acting.word('order');
  acting.say(`start-order ${word} on ${guide.title}`);
  await acting.actions.startWorkOrder(guide.guideid, word);
}

async function moveOrder(acting: Acting): Promise<void> {
  const order = await openOrder(acting);
  if (order === undefined) return;
  const moves =
    order.status === 'started'
      ? (['pause', 'finish', 'suspend', 'pause'] as const)
      : order.status === 'paused'
        ? (['resume', 'resume', 'cancel'] as const)
        : (['assume'] as const);
  const move = moves[acting.pick(1) % moves.length] ?? 'pause';
  acting.say(`${move} ${order.workorderid}`);
  acting.done.facts.move = [order.workorderid, move];
  await acting.actions.moveWorkOrder(order.entryid, move);
}

async function enterStep(acting: Acting): Promise<void> {
  const { order, guide } = await orderWithGuide(acting);
  const step = acting.one(guide?.steps ?? [], 2);
  if (order === undefined || step === undefined) return;
  acting.say(`step ${order.workorderid}`);
  await acting.actions.enterStep(order.entryid, step.stepid);
}

async function recordValue(acting: Acting): Promise<void> {
  const { order, guide } = await orderWithGuide(acting);
  const field = fieldOf(acting, guide, 'Text Input');
  if (order === undefined || field === undefined) return;
  const word = acting.word('value');
  acting.say(`value ${word} of ${order.workorderid}`);
  const before = order.values[String(field.field_revisionid)]?.value ?? '';
  acting.done.takenBack.push(...wordsIn(before));
  await acting.actions.recordValue(order.entryid, field, word);
}

async function recordPhoto(acting: Acting): Promise<void> {
  const { order, guide } = await orderWithGuide(acting);
  const field = fieldOf(acting, guide, 'Image');
  if (order === undefined || field === undefined) return;
  const { file, sha256 } = pictureFile(acting);
  acting.say(`photo of ${order.workorderid}, ${file.size} bytes`);
  await acting.actions.recordFile(order.entryid, field, file, `photo-${acting.doing.id}.png`);
  acting.done.facts.file = sha256;
}

/** An order taken over by another person: the person saves it as their own, or discards their work. */
async function frozenOrder(acting: Acting): Promise<void> {
  const orders = await acting.look('workOrders');
  const order = acting.one(
    orders.filter(({ frozen }) => frozen),
    0,
  );
  if (order === undefined) return;
  const { actions, done } = acting;
  const saves = acting.pick(1) % 3 > 0;
  acting.say(`${saves ? 'save as own' : 'drop'} ${order.workorderid}`);
  await actions.exportOrder(order.entryid);
  const texts = Object.values(order.values).map(({ value }) => value);
  done.facts.copied = order.workorderid;
  if (saves) return void (await actions.saveAsOwnOrder(order.entryid));
  done.takenBack.push(...texts.flatMap(wordsIn));
  await actions.discardOrder(order.entryid);
}

/** An order that the person can continue or assume. */
async function openOrder(acting: Acting): Promise<Order | undefined> {
  const orders = await acting.look('workOrders');
  const open = orders.filter(
    ({ status, mine, frozen }) =>
      !frozen && (mine || status === 'suspended') && !['finished', 'cancelled'].includes(status),
  );
  return acting.one(open, 0);
}

/** An open order and its guide, if the person sees it. */
async function orderWithGuide(acting: Acting): Promise<{ order: Order | undefined; guide: Guide | null }> {
  const order = await openOrder(acting);
  const guide = order === undefined ? null : await acting.look('guide', order.guideid);
  return { order, guide };
}

function fieldOf(acting: Acting, guide: Guide | null, type: Field['field_type']): Field | undefined {
  const fields = guide?.steps.flatMap((step) => step.fields) ?? [];
  return acting.one(
    fields.filter((field) => field.field_type === type),
    2,
  );
}
