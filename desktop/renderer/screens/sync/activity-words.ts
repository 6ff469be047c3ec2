import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import type { Tone } from '#desktop/renderer/ui/badge.tsx';
import { feedbackReason } from '#shared/model/comment.ts';

const tones: Record<ActivityItem['state'], Tone> = {
  queued: 'warn',
  sending: 'accent',
  'on-the-server': 'ok',
  parked: 'danger',
  'needs-decision': 'danger',
  'waits-for-sign-in': 'warn',
};

/** Parked by this device because a call that it needs was discarded; the server has not refused it. */
function isHeldUp({ state, refusal }: ActivityItem): boolean {
  return state === 'parked' && refusal?.status === 0;
}

/** The server takes it when a lead has accepted it (STATION-ENGINE-3). */
function needsLead({ state, refusal }: ActivityItem): boolean {
  return state === 'queued' && refusal?.code === 'station-needs-lead';
}

/** The state of an entry in words. An entry that waits for another one names its kind. */
export function stateOf(item: ActivityItem, all: readonly ActivityItem[]): { tone: Tone; words: string } {
  const { state, waitsFor } = item;
  if (needsLead(item)) return { tone: 'warn', words: text.sync.needsLead };
  const awaited = state === 'queued' && waitsFor !== null && all.find(({ id }) => id === waitsFor);
  if (awaited) return { tone: 'warn', words: text.activity[awaited.kind]?.awaited ?? '' };
  const words = isHeldUp(item)
    ? text.sync.heldUp
    : item.decisions > 1
      ? text.sync.needsDecisions(item.decisions)
      : text.sync.states[item.state];
  return { tone: tones[item.state], words };
}

/** The name of a kind of change. */
export function kindName(kind: string): string {
  return text.activity[kind]?.name ?? '';
}

/** The details of an entry, beside its subject. */
export function detailOf({ kind, detail }: ActivityItem): string {
  const mark = text.activity[kind]?.details?.[detail] ?? text.sync.marks[kind]?.[detail];
  if (mark !== undefined) return mark;
  switch (kind) {
    case 'guide':
    case 'page':
    case 'profile':
      return guideDetail(detail);
    case 'tag':
      return tagDetail(detail);
    case 'work-order':
      return text.sync.moves[detail] ?? detail;
    case 'comment':
      return detail === '' ? '' : text.sync.quoted(feedbackName(detail));
    default:
      return detail;
  }
}

/** The name of a reason of feedback, or the words of a comment. */
function feedbackName(detail: string): string {
  const { data: reason } = feedbackReason.safeParse(detail);
  return reason === undefined ? detail : text.feedback.reasons[reason];
}

/** Parses `on:belt` or `off:belt`. */
function tagDetail(detail: string): string {
  const [mark, ...tag] = detail.split(':');
  return text.sync.tagged[mark === 'on' ? 'on' : 'off'](tag.join(':'));
}

function guideDetail(detail: string): string {
  const words = detail
    .split(',')
    .filter((part) => part !== '')
    .map(guideFact);
  return [...new Set(words)].join(', ');
}

function guideFact(part: string): string {
  const [name = '', number] = part.split(':');
  if (name === 'steps' && number !== undefined) return text.sync.steps(Number(number));
  if (name === 'removed' && number !== undefined) return text.sync.removedSteps(Number(number));
  return fieldName(name);
}

/** The name of a guide field, by its name in the API. */
export function fieldName(name: string): string {
  return text.sync.guideFields[name] ?? text.sync.otherField;
}
