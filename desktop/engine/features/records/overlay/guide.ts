import type { GuideFacts } from '#shared/model/guide.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { mergeGuide } from '#shared/merge/guide.ts';
import { type GuideContent, contentOf, stepKeyOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { type GuideSave, guideSaveOf } from '#desktop/engine/outbox/kinds/guides.ts';
import type { Mirrored, OutboxCall } from '#desktop/engine/platform/ports.ts';
import { applies, isOpen } from './applies.ts';

/** A guide as this device shows it: the mirror's record with the person's waiting calls on top. */
export interface LocalGuide {
  /** The server's number, or `tmp:…`. */
  guideid: string;
  /** The mirror's record; null while the guide is on this device only. */
  facts: GuideFacts | null;
  content: GuideContent;
  public: boolean;
  /** Calls of this guide that the server does not have. */
  pending: boolean;
  editState: 'none' | 'queued' | 'conflict' | 'parked';
  /** ms since 1970. */
  modifiedAt: number;
  /** Of a guide as it was released: the forms that its steps had. Absent: those of the mirror. */
  forms?: readonly StepForm[];
}

/** Puts the calls of one guide, oldest first, on top of its record. Null: there is no such guide, or its removal waits. */
export function overlayGuide(
  guideid: string,
  mirrored: Mirrored<'guides'> | null,
  calls: readonly OutboxCall[],
): LocalGuide | null {
  let guide = mirrored === null ? null : fromMirror(guideid, mirrored.facts);
  const record = { seq: mirrored?.seq ?? null, facts: mirrored?.facts ?? null };
  for (const call of calls) {
    if (applies(call, record.seq) && !isCreatedThere(call, record.facts))
      guide = afterCall(guideid, guide, call);
  }
  if (guide === null) return null;
  const open = calls.filter((call) => isOpen(call) && !isCreatedThere(call, record.facts));
  return { ...guide, pending: open.length > 0, editState: editStateOf(open) };
}

/** The record names the call that made it, so it may arrive before the call's own answer does. */
function isCreatedThere(call: OutboxCall, facts: GuideFacts | null): boolean {
  return call.kind === 'guide-create' && facts !== null;
}

function fromMirror(guideid: string, facts: GuideFacts): LocalGuide {
  return {
    guideid,
    facts,
    content: contentOf(facts),
    public: facts.public,
    pending: false,
    editState: 'none',
    modifiedAt: facts.modified_date * 1000,
  };
}

function afterCall(guideid: string, guide: LocalGuide | null, call: OutboxCall): LocalGuide | null {
  const save = guideSaveOf(call);
  if (call.kind === 'guide-create') {
    if (save === undefined) return guide;
    const made = { guideid, facts: null, content: save.content, public: false };
    return { ...made, pending: true, editState: 'queued', modifiedAt: call.at };
  }
  if (guide === null) return null;
  if (save !== undefined) return { ...guide, content: afterSave(guide.content, save), modifiedAt: call.at };
  if (call.kind === 'guide-publish') return { ...guide, public: call.method === 'PUT' };
  return call.kind === 'guide-delete' ? null : guide;
}

/** The save as written if it was made upon what is there, else merged; the person's words where the two contradict. */
function afterSave(there: GuideContent, save: GuideSave): GuideContent {
  if (sameValue(there, save.before)) return save.content;
  return mergeGuide(save.before, there, save.content).merged;
}

function editStateOf(open: readonly OutboxCall[]): LocalGuide['editState'] {
  const states = new Set(open.map((call) => call.state));
  if (states.has('conflict')) return 'conflict';
  if (states.has('parked')) return 'parked';
  return states.size > 0 ? 'queued' : 'none';
}

/** Id of a step in views and calls: the server's number, or `tmp:{key}` until it has one. */
export function stepIdOf(guide: Pick<LocalGuide, 'facts'>, key: string): string {
  const known = guide.facts?.steps.find((step) => stepKeyOf(step) === key);
  if (known !== undefined) return String(known.stepid);
  return temporaryStepId(key);
}

/** `tmp:{key}`; keys are written with or without the prefix. */
export function temporaryStepId(key: string): string {
  return key.startsWith('tmp:') ? key : `tmp:${key}`;
}
