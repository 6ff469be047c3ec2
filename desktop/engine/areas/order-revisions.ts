import { combineLatest, firstValueFrom, map, of, switchMap, type Observable } from 'rxjs';

import type { GuideFacts } from '#shared/model/guide.ts';
import type { WorkedRevision } from '#shared/model/revision.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { comparedGuide, guideDifference, type GuideDifference } from '#shared/rules/guide-difference.ts';
import {
  highestForm,
  isSameRevision,
  isUndecided,
  revisionInForce,
  workedRevisionOf,
} from '#shared/rules/work-revision.ts';

import type { PlayableGuide } from '../api/records.ts';
import { impossible, type ActionContext } from '../features/action-context.ts';
import { toLive } from '../features/live.ts';
import { mustMove } from '../features/must-move.ts';
import { localGuide, playable } from '../features/records/guide.ts';
import { callsOf } from '../features/records/overlay/applies.ts';
import { overlayEntry, type LocalEntry } from '../features/records/overlay/entry.ts';
import type { LocalGuide } from '../features/records/overlay/guide.ts';
import { realIdOf, type Sources } from '../features/records/sources.ts';
import { boundTo, type Bound } from '../features/records/worked-revision.ts';
import type { Services } from '../features/services.ts';
import { entryContextOf, type EntryContext, type WorkedVersion } from '../outbox/kinds/work-orders.ts';
import type { OutboxCall } from '../platform/ports.ts';

/** The revision that an order is worked by, if the guide on this device has another one. */
export interface OrderRevisionView {
  /** The guide as of the revision of the order; null: its text is not on this device. */
  guide: PlayableGuide | null;
  /** Steps that the guide no longer has: they cannot be commented on. */
  goneSteps: string[];
  /** The revision of the order. */
  bound: WorkedRevision;
  /** The revision of the guide on this device. */
  present: WorkedRevision;
  /** The release for which the order was planned; null: none, so that the person may change to the present revision. */
  release: string | null;
  /** Whether the person has yet to decide about it. */
  isUndecided: boolean;
  /** What changed; null if the earlier text is not on this device. */
  difference: GuideDifference | null;
}

/** Live reads about the revisions of orders, from what is on this device. */
export function orderRevisionViews(services: Services) {
  return {
    /** Null while the order is worked by the revision that the guide has on this device. */
    orderRevision: (entryid: string) => toLive(orderRevision(services, entryid)),
  };
}

/**
 * - WORK-REVISION-6 The steps of an open order stay those of its revision, also when the guide changes on the device, offline
 *   and before the server has the order. A device without that text shows the present guide, and says so.
 */
function orderRevision(services: Services, entryid: string): Observable<OrderRevisionView | null> {
  return foundOrder(services.sources, entryid).pipe(
    switchMap((found): Observable<OrderRevisionView | null> => {
      if (found === null) return of(null);
      const { entry, version } = found;
      const bound = revisionInForce(entry.facts);
      if (bound === undefined) return of(null);
      return presentGuide(services.sources, entry.guideid).pipe(
        switchMap((present): Observable<OrderRevisionView | null> => {
          if (present === null || bound.unsaved === true || isSameRevision(bound, present.revision))
            return of(null);
          const { revision, version: now, steps } = present;
          const shown: Observable<PlayableGuide | null> =
            version === null ? of(null) : playable(services, guideOf(version));
          return shown.pipe(
            map((guide): OrderRevisionView => ({
              guide,
              goneSteps: (version?.guide.steps ?? []).flatMap(({ stepid }) =>
                steps.has(stepid) ? [] : [String(stepid)],
              ),
              bound,
              present: revision,
              release: entry.facts.release?.title ?? null,
              isUndecided: isUndecided(entry.facts, revision),
              difference: version === null || now === null ? null : differenceOf(version, now),
            })),
          );
        }),
      );
    }),
  );
}

interface FoundOrder {
  entry: LocalEntry;
  /** The text of its revision, from the server or from a waiting call; null: not on this device. */
  version: WorkedVersion | null;
}

function foundOrder(sources: Sources, entryid: string): Observable<FoundOrder | null> {
  const { mirror } = sources.core;
  return realIdOf(sources, entryid).pipe(
    switchMap((id) => {
      const isNew = id.startsWith('tmp:');
      const record = isNew ? of(null) : mirror.one('workLog', id);
      const stored = isNew ? of(null) : mirror.one('workVersions', id);
      return combineLatest([record, stored, sources.calls]).pipe(
        map(([mirrored, version, calls]) => {
          const own = callsOf(calls, 'workLog', id, sources.resolve);
          const entry = overlayEntry(id, mirrored, own);
          if (entry === null) return null;
          return { entry, version: textOf(entry, own, version?.facts ?? null) };
        }),
      );
    }),
  );
}

/** The text of the revision in force. */
function textOf(
  { facts }: LocalEntry,
  calls: readonly OutboxCall[],
  stored: WorkedVersion | null,
): WorkedVersion | null {
  const bound = revisionInForce(facts);
  if (bound === undefined) return null;
  const isBound = ({ guide, forms }: WorkedVersion): boolean =>
    isSameRevision(bound, workedRevisionOf(factsOf(guide), highestForm(guide, forms), 0));
  if (stored !== null && isBound(stored)) return stored;
  return calls.flatMap((call) => entryContextOf(call)?.version ?? []).find(isBound) ?? null;
}

/** A guide with the revision that this device shows. */
interface Present extends Bound {
  steps: ReadonlySet<number>;
}

function presentGuide(sources: Sources, guideid: string): Observable<Present | null> {
  return localGuide({ sources }, guideid).pipe(
    switchMap((local) => {
      if (local?.facts == null) return of(null);
      const steps = new Set(local.facts.steps.map(({ stepid }) => stepid));
      return boundTo(sources, local).pipe(map((bound) => ({ ...bound, steps })));
    }),
  );
}

/** Without prerequisites, because it is unknown whether the person may see those. */
function factsOf(guide: WorkedVersion['guide']): GuideFacts {
  return { ...guide, prerequisites: [] };
}

function guideOf({ guide, forms }: WorkedVersion): LocalGuide {
  const facts = factsOf(guide);
  return {
    guideid: String(guide.guideid),
    facts,
    content: contentOf(facts),
    public: guide.public,
    pending: false,
    editState: 'none',
    modifiedAt: guide.modified_date * 1000,
    forms,
  };
}

function differenceOf(before: WorkedVersion, after: WorkedVersion): GuideDifference {
  const forms = { before: before.forms, after: after.forms };
  return guideDifference(comparedGuide(before.guide), comparedGuide(after.guide), forms);
}

/** Decisions about revisions. Each promise resolves when the decision is journalled; the outbox sends it. */
export function orderRevisionActions(context: ActionContext) {
  return {
    /**
     * Goes on by the revision that the guide has on this device (`switch`), or by the one before (`keep`). Throws `Problem`
     * when the order is not open.
     */
    decideRevision: (entryid: string, decision: 'switch' | 'keep') => decide(context, entryid, decision),
  };
}

async function decide(context: ActionContext, entryid: string, decision: 'switch' | 'keep'): Promise<void> {
  const { sources } = context;
  const { clock, outbox } = sources.core;
  const { id, call, context: about } = await mustMove(context, entryid, 'data');
  const present = await firstValueFrom(presentGuide(sources, context.resolve(about.guideid)));
  if (present === null) throw impossible('The guide is not on this device');
  const { revision, version } = present;
  if (revision.unsaved === true)
    throw impossible('Your changes of this guide have no number yet. Sync first');
  const { guide_revisionid, form_revisionid } = revision;
  await outbox.add([
    {
      ...call,
      kind: 'entry-revision',
      method: 'POST',
      path: `/work_log/${id}/revision`,
      body: { ...clock.moment(), decision, guide_revisionid, form_revisionid },
      context: {
        ...about,
        decision,
        revision,
        ...(decision === 'keep' || version === null ? {} : { version }),
      } satisfies EntryContext,
    },
  ]);
}
