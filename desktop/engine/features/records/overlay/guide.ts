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
  /** Whether calls of this guide wait. */
  pending: boolean;
  editState: 'none' | 'queued' | 'conflict' | 'parked';
  /** ms since 1970. */
  modifiedAt: number;
  /** For a released guide, the forms of its steps. Absent: the mirror has them. */
  forms?: readonly StepForm[];
}

/**
 * A guide with its calls (oldest first) on top of the mirror's record; null when there is none, or its deletion waits.
 */
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

/** Whether the record that a call created has arrived already, which can be before the call's own response. */
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

/** The content after a save, merged if it was made on another content. In conflicts the person's text is shown. */
function afterSave(present: GuideContent, save: GuideSave): GuideContent {
  if (sameValue(present, save.before)) return save.content;
  return mergeGuide(save.before, present, save.content).merged;
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

/** `tmp:{key}`. The key may have the prefix already. */
export function temporaryStepId(key: string): string {
  return key.startsWith('tmp:') ? key : `tmp:${key}`;
}
