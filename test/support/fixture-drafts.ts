import type { DraftActions } from '#desktop/engine/actions/drafts.ts';
import type { Actions } from '#desktop/engine/engine.ts';
import { documentOf } from '#desktop/engine/features/media/documents.ts';
import type { DraftState } from '#desktop/engine/api/records.ts';
import { Problem, notFound } from '#shared/api/problem.ts';
import { guideTypes } from '#shared/model/guide.ts';
import { editedNow } from '#shared/merge/refresh.ts';
import { must } from '#shared/must.ts';
import { emptyContent, pathId, type GuideContent } from '#shared/rules/guide-content.ts';
import { applyEdit } from '#shared/rules/guide-edit.ts';
import { validateChange } from '#shared/rules/guide-limits.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { demoContent } from './fixture-content.ts';
import type { World } from './fixture-world.ts';

/** A draft in memory: every edit is one step of its history. */
export interface FixtureDraft {
  guideid: string;
  /** The version on the server; null for a new guide. */
  base: GuideContent | null;
  content: GuideContent;
  past: GuideContent[];
  future: GuideContent[];
  /** The content that was queued last. */
  queued: GuideContent | null;
}

type Change = (change: (world: World) => Partial<World>) => void;

/** A draft of a demo guide, or of a new one. */
export function newDraft(guideid: string, base: GuideContent | null): FixtureDraft {
  return { guideid, base, content: base ?? emptyContent(), past: [], future: [], queued: null };
}

/** The state that the editor shows. */
export function draftState(world: World, guideid: string): DraftState | null {
  const draft = world.drafts.find((other) => other.guideid === guideid);
  if (draft === undefined) return null;
  const known = draft.queued ?? draft.base ?? emptyContent();
  return {
    guideid,
    content: draft.content,
    canUndo: draft.past.length > 0,
    canRedo: draft.future.length > 0,
    dirty: !sameValue(known, draft.content),
    saved: 'device',
    problems: validateChange(draft.base, draft.content).map(({ place, ...flaw }) => ({
      ...flaw,
      place: pathId(place),
    })),
    canPublish: draft.base !== null,
    public: world.guides.find((guide) => guide.guideid === guideid)?.public ?? false,
    isNew: draft.base === null,
    categories: [...new Set(world.cards.map(({ category }) => category))].toSorted(),
    guideTypes: [...guideTypes],
    flags: [
      { flagid: 'GUIDE_STARRED', title: 'Featured guide' },
      { flagid: 'GUIDE_IN_PROGRESS', title: 'In progress' },
    ],
    ownDocuments: [documentOf({ documentid: 31, guid: 'safety-sheet', filename: 'Safety sheet.pdf' })],
  };
}

/** The actions of drafts on the fixture world. */
export function draftActions(
  world: () => World,
  change: Change,
  keepFile: (file: Blob) => string,
): DraftActions & Pick<Actions, 'publish'> {
  const read = (guideid: string) =>
    must(
      world().drafts.find((draft) => draft.guideid === guideid),
      `a draft of ${guideid}`,
    );
  const put = (draft: FixtureDraft) =>
    change((now) => ({
      drafts: [...now.drafts.filter((other) => other.guideid !== draft.guideid), draft],
    }));
  const become = (draft: FixtureDraft, content: GuideContent) => {
    if (content !== draft.content)
      put({ ...draft, content, past: [...draft.past, draft.content], future: [] });
  };
  return {
    async openDraft(guideid) {
      const id = guideid ?? 'tmp:00000000-new-guide';
      const isKnown = guideid === null || world().guides.some((guide) => guide.guideid === guideid);
      const isOpen = world().drafts.some((draft) => draft.guideid === id);
      if (!isKnown && !isOpen) throw notFound('Guide');
      if (!isOpen) put(newDraft(id, guideid === null ? null : demoContent(id)));
      return id;
    },
    async editDraft(guideid, operation) {
      const draft = read(guideid);
      become(draft, editedNow(draft.content, operation));
    },
    async undoDraft(guideid) {
      const draft = read(guideid);
      const content = draft.past.at(-1);
      if (content === undefined) return;
      put({ ...draft, content, past: draft.past.slice(0, -1), future: [...draft.future, draft.content] });
    },
    async redoDraft(guideid) {
      const draft = read(guideid);
      const content = draft.future.at(-1);
      if (content === undefined) return;
      put({ ...draft, content, past: [...draft.past, draft.content], future: draft.future.slice(0, -1) });
    },
    async addDraftPicture(guideid, stepKey, file) {
      const draft = read(guideid);
      const step = must(
        draft.content.steps.find(({ key }) => key === stepKey),
        'the step',
      );
      const pictures = step.media.type === 'image' ? step.media.data : [];
      const { width, height } = await createImageBitmap(file);
      const image = { id: 0, guid: keepFile(file), width, height };
      const value = { type: 'image' as const, data: [...pictures, image] };
      become(draft, applyEdit(draft.content, { op: 'setStepMedia', step: stepKey, value }));
    },
    async replaceDraftPicture(guideid, stepKey, guid, { file, markup }) {
      const draft = read(guideid);
      const step = must(
        draft.content.steps.find(({ key }) => key === stepKey),
        'the step',
      );
      const pictures = step.media.type === 'image' ? step.media.data : [];
      const { width, height } = await createImageBitmap(file);
      const made = { id: 0, guid: keepFile(file), width, height, ...(markup !== undefined && { markup }) };
      const value = {
        type: 'image' as const,
        data: pictures.map((one) => (one.guid === guid ? made : one)),
      };
      become(draft, applyEdit(draft.content, { op: 'setStepMedia', step: stepKey, value }));
      return made.guid;
    },
    async addDraftDocument(guideid, file, filename) {
      const draft = read(guideid);
      const document = documentOf({ documentid: 0, guid: keepFile(file), filename });
      const value = [...draft.content.documents, document];
      become(draft, applyEdit(draft.content, { op: 'setList', field: 'documents', value }));
    },
    async saveDraft(guideid) {
      const draft = read(guideid);
      const broken = draftState(world(), guideid)?.problems[0];
      if (broken !== undefined) throw new Problem('invalid', broken.message);
      put({ ...draft, queued: draft.content });
      change((now) => ({
        guides: now.guides.map((guide) =>
          guide.guideid === guideid ? { ...guide, editState: 'queued' } : guide,
        ),
        sync: { ...now.sync, pending: now.sync.pending + 1 },
      }));
    },
    async discardDraft(guideid) {
      change((now) => ({ drafts: now.drafts.filter((draft) => draft.guideid !== guideid) }));
    },
    async publish(guideid, on) {
      change((now) => ({
        guides: now.guides.map((guide) => (guide.guideid === guideid ? { ...guide, public: on } : guide)),
      }));
    },
  };
}
