import { z } from 'zod';

import type { NamedForm } from '#desktop/engine/api/forms.ts';
import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import {
  typedDeviation,
  typedNote,
  typedReasons,
  typedSignOut,
  typedWords,
} from '#desktop/renderer/typed-forms.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { LeftNotice } from '../planned/left-notice.tsx';

/** What a form of a work order has: the order, by its id or its number, and the words. */
interface Unrecorded {
  id: string;
  order: { entryid: string } | { workorderid: string };
  words: string;
}

/**
 * FORM-9: what this person typed in work orders and did not record, where it can no longer be recorded, because the order
 * ended, was taken over or has left the device. It stays until it is discarded.
 */
export function UnrecordedText() {
  const { user } = useLiveSoon('session') ?? { user: null };
  const forms = useLiveSoon('unsavedForms', '') ?? [];
  const left = forms.flatMap((form) => unrecordedIn(form, String(user?.userid ?? 0)));
  return left.map((one) =>
    'entryid' in one.order ? (
      <OfOrder key={one.id} {...one} entryid={one.order.entryid} />
    ) : (
      <OfNumber key={one.id} {...one} number={one.order.workorderid} />
    ),
  );
}

function OfOrder({ entryid, ...left }: Omit<Unrecorded, 'order'> & { entryid: string }) {
  return <Left {...left} number={null} order={useLiveSoon('workOrder', entryid)} />;
}

function OfNumber({ number, ...left }: Omit<Unrecorded, 'order'> & { number: string }) {
  const orders = useLiveSoon('workOrders');
  const order = orders && (orders.find(({ workorderid }) => workorderid === number) ?? null);
  return <Left {...left} number={number} order={order} />;
}

interface LeftProps {
  id: string;
  words: string;
  /** The number in the form. */
  number: string | null;
  /** Undefined while it is being read; null if it is not on this device. */
  order: WorkOrder | null | undefined;
}

function Left({ id, words, number, order }: LeftProps) {
  if (order === undefined || (order !== null && takesText(order))) return null;
  const name = order?.workorderid ?? number;
  const { unrecorded, unrecordedElsewhere } = text.workOrders;
  return <LeftNotice id={id} words={words} title={name === null ? unrecordedElsewhere : unrecorded(name)} />;
}

/** Whether the person can record something in an order, perhaps after they continue it. */
function takesText({ frozen, status, mine }: WorkOrder): boolean {
  return !frozen && (status === 'suspended' || (mine && (status === 'started' || status === 'paused')));
}

/** What a form of a work order says; none for other forms, forms of others, and forms without words. */
function unrecordedIn({ id, form: { typed } }: NamedForm, userid: string): Unrecorded[] {
  const [kind = '', person, ...record] = id.split('.');
  const schema = Object.hasOwn(wordsOf, kind) ? wordsOf[kind as keyof typeof wordsOf] : undefined;
  const words = schema?.safeParse(typed).data ?? '';
  if (person !== userid || words === '') return [];
  // A number of a work order may have dots.
  const order =
    kind === 'deviation' ? { workorderid: record.slice(1, -1).join('.') } : { entryid: record[0] ?? '' };
  return [{ id, order, words }];
}

/** The words in each form of a work order. */
const wordsOf = {
  value: typedWords.transform(({ words }) => words ?? ''),
  pad: typedWords.transform(({ words }) => words ?? ''),
  reason: typedWords.transform(({ words }) => words ?? ''),
  suspend: typedNote.transform(({ note }) => note),
  'sign-out': typedSignOut.transform(({ note }) => note),
  finish: typedReasons.transform(({ reasons }) => Object.values(reasons).join(' · ')),
  deviation: typedDeviation.transform(({ note, pictures }) =>
    [note, ...(pictures.length > 0 ? [text.workOrders.photosLeft(pictures.length)] : [])]
      .filter((one) => one !== '')
      .join(' · '),
  ),
} satisfies Record<string, z.ZodType<string>>;
