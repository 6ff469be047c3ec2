import { type Observable, combineLatest, distinctUntilChanged, map, switchMap } from 'rxjs';
import { z } from 'zod';

import { type AutomaticMerge, type MergeConflict, choicesOf } from '#shared/merge/conflict.ts';
import { mergeText } from '#shared/merge/text.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { GuideContent, ContentPath } from '#shared/rules/guide-content.ts';
import { newestVersion, shownTitle } from '#shared/rules/wiki-record.ts';
import { parseMarkup } from '#shared/formats/wikitext/markup.ts';

import { type GuideContest, guideSaveOf } from '../outbox/kinds/guides.ts';
import { wikiSaveOf } from '../outbox/kinds/pages.ts';
import { callsOf, isOpen } from '../features/records/overlay/applies.ts';
import { reopening, versionsOf } from '../features/editing/decisions.ts';
import { realIdOf, type Sources } from '../features/records/sources.ts';
import type { Services } from '../features/services.ts';
import type { ContestedStep, GuideConflictView, GuideConflicts, TextSpan } from '../api/conflict-records.ts';

/** The conflicts between a waiting save of a guide and the server's version; null when there are none. */
export function conflict({ sources, drafts }: Services, guideid: string): Observable<GuideConflicts | null> {
  return combineLatest([drafts.drafts, sources.calls, sources.names]).pipe(
    map(([, , names]) => {
      const open = drafts.find(guideid);
      const contest = drafts
        .openSaves(guideid)
        .map((call) => guideSaveOf(call)?.contest)
        .find((found) => found !== undefined);
      if (open === undefined || contest === undefined || open.draft.conflicts.length === 0) return null;
      const content = open.draft.content();
      return {
        guideid: sources.resolve(open.id),
        title: content.title,
        theirName: names.get(open.draft.base?.modified_userid ?? 0) ?? '',
        conflicts: open.draft.conflicts.map((one) => conflictView(one, placeOf(one.place, content), contest)),
        steps: contestedSteps(open.draft.conflicts, content),
        merged: contest.merges.map((merge) => mergedFact(merge, content)),
      };
    }),
  );
}

/** The conflicts between a waiting save of a page and the server's version; null when there are none. */
export function wikiConflict(sources: Sources, wikiid: string): Observable<GuideConflicts | null> {
  return combineLatest([sources.calls, sources.names]).pipe(
    map(([calls, names]) => {
      const call = callsOf(calls, 'wikis', wikiid, sources.resolve).find(({ state }) => state === 'conflict');
      const save = call === undefined ? undefined : wikiSaveOf(call);
      if (save?.contest === undefined) return null;
      const { theirs, conflicts, merges, mineAt, theirsAt } = save.contest;
      return {
        guideid: `wiki:${sources.resolve(wikiid)}`,
        title: shownTitle(save.content),
        theirName: names.get(theirs.userid) ?? '',
        conflicts: conflicts.map((one) => conflictView(one, pagePlaceOf(one.place), { mineAt, theirsAt })),
        steps: [],
        merged: merges.map(({ kind, place }) => `${kind}:${place.list ?? place.field ?? ''}`),
      };
    }),
  );
}

/** Whether the decisions about a guide, or a page by `wiki:{wikiid}`, can be taken back (`reopenConflicts`). */
export function canReopen({ sources, drafts }: Services, id: string): Observable<boolean> {
  const { mirror } = sources.core;
  const wikiid = id.startsWith('wiki:') ? id.slice('wiki:'.length) : null;
  const revision: Observable<number | undefined> =
    wikiid === null
      ? realIdOf(sources, id).pipe(
          switchMap((real) => mirror.one('guides', real)),
          map((record) => record?.facts.revisionid),
        )
      : realIdOf(sources, wikiid).pipe(
          switchMap((real) => mirror.one('wikis', real)),
          map((record) => (record === null ? undefined : newestVersion(record.facts).revisionid)),
        );
  return combineLatest([drafts.decidedConflicts.state, drafts.drafts, sources.calls, revision]).pipe(
    map(([decided, , calls, revisionid]) => {
      const { resolve } = sources;
      const undecided = decided.get(wikiid === null ? resolve(id) : `wiki:${resolve(wikiid)}`);
      if (undecided === undefined) return false;
      const waiting =
        wikiid === null ? drafts.openSaves(id) : callsOf(calls, 'wikis', wikiid, resolve).filter(isOpen);
      const draft = wikiid === null ? drafts.find(id)?.draft.content() : undefined;
      return reopening(undecided, { waiting, revisionid, draft }) === 'possible';
    }),
    distinctUntilChanged(),
  );
}

const kinds = { text: 'words', value: 'value' } as const;

function conflictView(
  one: MergeConflict,
  place: GuideConflictView['place'],
  contest: Pick<GuideContest, 'mineAt' | 'theirsAt'>,
): GuideConflictView {
  const texts = textsOf(one);
  const kind =
    one.kind === 'removal'
      ? (`deleted-by-${one.removedBy === 'mine' ? 'me' : 'them'}` as const)
      : kinds[one.kind];
  return {
    conflictid: one.id,
    versions: versionsOf(one),
    place,
    kind,
    base: texts.base,
    mine: spans(texts.base, texts.mine, 'mine'),
    theirs: spans(texts.base, texts.theirs, 'theirs'),
    suggestion: one.kind === 'text' ? suggestionOf(one) : [{ text: texts.suggested, by: 'base' }],
    canKeepBoth: choicesOf(one).includes('both'),
    mineAt: contest.mineAt,
    theirsAt: contest.theirsAt,
    ...(one.place.field === 'media' && {
      pictures: { mine: picturesIn(one.mine), theirs: picturesIn(one.theirs) },
    }),
  };
}

function contestedSteps(conflicts: readonly MergeConflict[], content: GuideContent): ContestedStep[] {
  const contested = new Set(conflicts.map(({ place }) => place.step));
  return content.steps.flatMap(({ key, title, media, lines }, index) =>
    contested.has(key) ? [{ key, number: index + 1, title, pictures: picturesIn(media), lines }] : [],
  );
}

/** The guids of the pictures in the media of a step. */
function picturesIn(media: unknown): string[] {
  const { data } = picturesOfStep.safeParse(media);
  return data?.data.map(({ guid }) => guid) ?? [];
}

const picturesOfStep = z.object({ type: z.literal('image'), data: z.array(z.object({ guid: z.string() })) });

type Texts = { base: string; mine: string; theirs: string; suggested: string };

function textsOf(one: MergeConflict): Texts {
  if (one.kind === 'text') return one;
  const { base, mine, theirs, suggested } = one;
  return { base: textOf(base), mine: textOf(mine), theirs: textOf(theirs), suggested: textOf(suggested) };
}

/** A value as text by which a person recognises it. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  const fields = new Map<string, unknown>(Object.entries(value));
  if (fields.has('guid') && fields.has('width')) return pictureText(value as ImageRef);
  if (fields.has('lines'))
    return [fields.get('title'), ...listOf(fields.get('lines'))].map(textOf).filter(Boolean).join('\n');
  if (fields.has('supplier'))
    return [fields.get('supplier'), fields.get('part_#')].map(textOf).filter(Boolean).join(' ');
  for (const name of ['text_raw', 'text', 'title', 'filename', 'data', 'value', 'guid']) {
    if (fields.has(name)) return textOf(fields.get(name));
  }
  return JSON.stringify(value);
}

/** A picture as text: its number, and how many markers it has. */
function pictureText({ id, markup = '' }: ImageRef): string {
  const markers = parseMarkup(markup).draw.length;
  const name = id === 0 ? 'new picture' : `picture ${id}`;
  return markers === 0 ? name : `${name} with ${markers === 1 ? '1 marker' : `${markers} markers`}`;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text in spans: those that it shares with the base, and its own. */
function spans(base: string, text: string, by: 'mine' | 'theirs'): TextSpan[] {
  const merge = by === 'mine' ? mergeText(base, text, base) : mergeText(base, base, text);
  return merge.spans.map((span): TextSpan => ({ text: span.text, by: span.by === by ? by : 'base' }));
}

/** Both texts merged, with the suggestion for contested words. */
function suggestionOf(one: Extract<MergeConflict, { kind: 'text' }>): TextSpan[] {
  if (one.suggested === one.spans.map((span) => span.text).join('')) {
    return one.spans.map(({ text, by }): TextSpan => ({ text, by: by === 'both' ? 'base' : by }));
  }
  return spans(one.base, one.suggested, 'mine');
}

/** A place in the merged guide, counted from 1. Deleted steps and lines have no number. */
function placeOf(place: ContentPath, content: GuideContent): GuideConflictView['place'] {
  const index = content.steps.findIndex((step) => step.key === place.step);
  const step = content.steps[index];
  const line = step?.lines.findIndex(({ id }) => id === place.line) ?? -1;
  const field = place.list ?? place.field;
  return {
    ...(field === undefined ? {} : { field }),
    ...(step === undefined ? {} : { step: index + 1, stepKey: step.key, stepTitle: step.title }),
    ...(line < 0 || place.line === undefined ? {} : { line: line + 1, lineId: place.line }),
  };
}

/** An automatic merge as a short code for screens, such as `changed:title` or `text:step 2 line 1`. */
function mergedFact({ kind, place }: AutomaticMerge, content: GuideContent): string {
  const { field, step, line } = placeOf(place, content);
  const where = [
    step === undefined ? '' : `step ${step}`,
    line === undefined ? '' : `line ${line}`,
    step === undefined ? (field ?? '') : '',
  ].filter((part) => part !== '');
  return `${kind}:${where.join(' ')}`;
}

/** A place in a page. Facts and suppliers are named by their text; documents have only a guid, which is not shown. */
function pagePlaceOf({ list, element, field }: ContentPath): GuideConflictView['place'] {
  const isNamed = list === 'info' || list === 'suppliers';
  return {
    ...((list ?? field) === undefined ? {} : { field: list ?? field }),
    ...(isNamed && element !== undefined ? { element: element.trim() } : {}),
  };
}
