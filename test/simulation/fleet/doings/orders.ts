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
  'finish-order': finishOrder,
  'suspend-order': suspendOrder,
  'assume-order': assumeOrder,
} satisfies Partial<Record<DoingKind, Perform>>;

export type Order = SeenOf<'workOrders'>[number];
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

/** The person gives a reason for most of the required values that are missing. */
async function finishOrder(acting: Acting): Promise<void> {
  const order = await ownOrder(acting, ['started', 'paused']);
  const guide = await guideOf(acting, order);
  if (order === undefined || guide === null) return;
  const missing = guide.steps
    .flatMap((step) => step.fields)
    .filter(({ required, field_revisionid }) => required && isMissing(order, field_revisionid));
  const gaps = missing.flatMap((field, nth) =>
    acting.pick(1 + (nth % 4)) % 4 === 0 ? [] : [{ field, reason: `Reason ${acting.word('gap', nth)}` }],
  );
  acting.say(`finish ${order.workorderid} with ${gaps.map(({ reason }) => reason).join(', ')}`);
  acting.done.facts.reasons = gaps.flatMap(({ field, reason }) =>
    wordsIn(reason).map((word): [string, number] => [word, field.field_revisionid]),
  );
  acting.done.facts.move = [order.workorderid, 'finish'];
  await acting.actions.finishWorkOrder(order.entryid, gaps);
}

function isMissing({ values }: Order, field_revisionid: number): boolean {
  return (values[String(field_revisionid)]?.value ?? '') === '';
}

async function suspendOrder(acting: Acting): Promise<void> {
  const order = await ownOrder(acting, ['started', 'paused']);
  if (order === undefined) return;
  const word = acting.word('handover');
  acting.say(`suspend ${order.workorderid} with ${word}`);
  acting.done.facts.move = [order.workorderid, 'suspend'];
  await acting.actions.suspendWorkOrder(order.entryid, `For the next one: ${word}`);
}

/** The person continues a suspended order of somebody else, or of their own if there is no other. */
async function assumeOrder(acting: Acting): Promise<void> {
  const orders = await acting.look('workOrders');
  const suspended = orders.filter(({ status, frozen }) => status === 'suspended' && !frozen);
  const others = suspended.filter(({ mine }) => !mine);
  const order = acting.order(others.length > 0 ? others : suspended, 0);
  if (order === undefined) return;
  acting.say(`assume ${order.workorderid}`);
  acting.done.facts.move = [order.workorderid, 'assume'];
  await acting.actions.moveWorkOrder(order.entryid, 'assume');
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
  const { json } = await actions.exportOrder(order.entryid);
  const texts = Object.values(order.values).map(({ value }) => value);
  done.facts.copied = order.workorderid;
  if (saves) return void (await actions.saveAsOwnOrder(order.entryid));
  done.takenBack.push(...texts.flatMap(wordsIn), ...wordsOfCalls(json));
  await actions.discardOrder(order.entryid);
}

/** Words in the bodies of exported calls. Their contexts also have words that the server has. */
function wordsOfCalls(json: string): string[] {
  const calls = JSON.parse(json) as { body: unknown }[];
  return calls.flatMap(({ body }) => wordsIn(JSON.stringify(body)));
}

/** An order that the person holds in one of these states. */
export async function ownOrder(
  acting: Acting,
  states: readonly Order['status'][],
): Promise<Order | undefined> {
  const orders = await acting.look('workOrders');
  return acting.order(
    orders.filter(({ status, mine, frozen }) => mine && !frozen && states.includes(status)),
    0,
  );
}

/** The guide of an order, if the person sees it. */
export async function guideOf(acting: Acting, order: Order | undefined): Promise<Guide | null> {
  return order === undefined ? null : acting.look('guide', order.guideid);
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
  return { order, guide: await guideOf(acting, order) };
}

export function fieldOf(acting: Acting, guide: Guide | null, type: Field['field_type']): Field | undefined {
  const fields = guide?.steps.flatMap((step) => step.fields) ?? [];
  return acting.one(
    fields.filter((field) => field.field_type === type),
    2,
  );
}
