import { combineLatest, distinctUntilChanged, map, Observable, of, switchMap, tap } from 'rxjs';

import type { StepForm } from '#shared/model/step-form.ts';
import { isTemporaryId, stepKeyOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { templateLookup } from '#shared/rules/wiki-templates.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

import type { Mirrored, OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { Services } from '../services.ts';
import { canEdit } from './guide-access.ts';
import { callsOf } from './overlay/applies.ts';
import { type LocalComment, overlayComments } from './overlay/comments.ts';
import { type LocalGuide, overlayGuide, temporaryStepId } from './overlay/guide.ts';
import { pinnedGuide, pinnedGuideId, releasedIn } from './pinned-releases.ts';
import { readinessOf, type ReadinessSources } from './readiness.ts';
import type {
  CommentView,
  FormFieldView,
  OfflineReadiness,
  PlayableGuide,
  Prerequisite,
} from '#desktop/engine/api/records.ts';
import { relatedGuides } from './related-guides.ts';
import {
  type CommentAudience,
  absolute,
  commentEditMs,
  linkedGuides,
  renderComments,
  renderGuide,
  renderSteps,
  wikiContext,
} from './rendering.ts';
import { realIdOf } from './sources.ts';
import { sampled } from './sampled.ts';
import { tagsOf } from './tags.ts';
import { boundTo, formsOf } from './worked-revision.ts';
import { canTagGuide } from './wiki-access.ts';

/**
 * One guide, ready to be played. Steps of prerequisites are not included. Prerequisites are listed and opened one by
 * one, because each has its own work order.
 */
export function guide(services: Services, guideid: string): Observable<PlayableGuide | null> {
  services.index.start();
  return realIdOf(services.sources, guideid).pipe(
    tap((id) => {
      services.media.opened(id);
      services.recent.opened(id);
    }),
    switchMap((id) =>
      localGuide(services, id).pipe(
        switchMap((local) => (local === null ? of(null) : playable(services, local))),
      ),
    ),
  );
}

/** A guide with the person's waiting calls on top; null when it does not exist. */
export function localGuide(
  { sources }: Pick<Services, 'sources'>,
  id: string,
): Observable<LocalGuide | null> {
  const record = id.startsWith('tmp:') ? of(null) : sources.core.mirror.one('guides', id);
  return combineLatest([record, callsAbout(sources.calls, id, sources.resolve)]).pipe(
    map(([mirrored, calls]) => overlayGuide(id, mirrored, calls)),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

function callsAbout(
  calls: Observable<readonly OutboxCall[]>,
  id: string,
  resolve: (id: string) => string,
): Observable<OutboxCall[]> {
  return calls.pipe(
    map((all) => callsOf(all, 'guides', id, resolve)),
    distinctUntilChanged((a, b) => a.length === b.length && a.every((call, index) => call === b[index])),
  );
}

/** A guide with everything that the player shows. */
export function playable(services: Services, local: LocalGuide): Observable<PlayableGuide> {
  const { sources } = services;
  return combineLatest([
    rendered(services, local),
    sources.me,
    sources.names,
    sources.favorites,
    sources.completions,
    editState(services, local),
    readiness(services, (sources) => readinessOf(local.guideid, sources)),
    tagsOf(sources, 'guide', local.guideid),
    revisionOf(sources, local),
  ]).pipe(
    map(([parts, me, names, favorites, completions, state, ready, tags, revision]) => {
      const author = local.facts?.userid ?? me.userid;
      return {
        ...parts,
        author: names.get(author) ?? '',
        canEdit: canEdit(me, author),
        tags,
        canTag: canTagGuide(me, author),
        favorite: favorites.on.has(local.guideid),
        completed: completions.on.has(local.guideid),
        prerequisites: parts.prerequisites.map((first) => ({
          ...first,
          completed: completions.on.has(pinnedGuide(first.guideid)?.guideid ?? first.guideid),
        })),
        editState: state,
        readiness: ready,
        archive: null,
        release: null,
        revision,
      };
    }),
  );
}

type Rendered = Omit<
  PlayableGuide,
  | 'prerequisites'
  | 'author'
  | 'tags'
  | 'canTag'
  | 'canEdit'
  | 'favorite'
  | 'completed'
  | 'editState'
  | 'readiness'
  | 'archive'
  | 'release'
  | 'revision'
> & { prerequisites: Omit<Prerequisite, 'completed'>[] };

/** The parts that depend on texts, templates and related records. */
function rendered(services: Services, local: LocalGuide): Observable<Rendered> {
  const { sources } = services;
  return combineLatest([sources.templates, sources.site]).pipe(
    map(([pages, site]) => ({
      template: templateLookup(pages, local.facts?.langid, site.langid),
      releases: site.releases,
    })),
    switchMap(({ template, releases }) => renderedWith(services, local, template, releases)),
  );
}

function renderedWith(
  services: Services,
  local: LocalGuide,
  template: WikiContext['template'],
  releases: boolean,
): Observable<Rendered> {
  const { sources } = services;
  const pinned = new Map(
    releases && local.facts !== null ? releasedIn(local.facts).map((one) => [one.guide.guideid, one]) : [],
  );
  const names = linkedGuides(local.content, template);
  const prerequisites = local.content.prerequisites.map(String);
  return combineLatest([
    sources.me,
    sources.names,
    sources.images,
    relatedGuides(sources, names, prerequisites),
    forms(services, local),
    comments(services, local).pipe(switchMap((discussion) => timed(services, discussion))),
  ]).pipe(
    map(([me, names, images, related, fields, { discussion, serverNow }]) => {
      const wiki = wikiContext(me.server, [...related.values()], images, template);
      const audience: CommentAudience = {
        me: me.userid,
        nameOf: (userid) => names.get(userid) ?? '',
        serverNow,
        wiki,
      };
      const byStep = new Map<string, CommentView[]>();
      for (const [stepid, own] of Map.groupBy(ofSteps(discussion, local), (comment) => comment.contextid)) {
        byStep.set(stepid, renderComments(own, audience));
      }
      return {
        ...renderGuide(local, wiki),
        documents: local.content.documents.map(({ guid, text, extension, download_url }) => {
          const url = isTemporaryId(guid) ? null : absolute(download_url, me.server);
          return { guid, title: text, extension, url };
        }),
        prerequisites: local.content.prerequisites.flatMap((id): Rendered['prerequisites'] => {
          const asked = typeof id === 'number' ? pinned.get(id) : undefined;
          if (asked !== undefined) {
            const { title, steps } = asked.guide;
            const place = pinnedGuideId(String(id), local.guideid);
            return [{ guideid: place, title, steps: steps.length, release: asked.title }];
          }
          const found = related.get(sources.resolve(String(id)));
          if (found === undefined) return [];
          const { title, steps } = found;
          return [{ guideid: sources.resolve(String(id)), title, steps, release: null }];
        }),
        steps: renderSteps(local, wiki, me.server, fields, byStep),
        comments: renderComments(
          discussion.filter(({ context }) => context === 'guide'),
          audience,
        ),
      };
    }),
  );
}

function forms({ sources }: Services, local: LocalGuide): Observable<Map<string, FormFieldView[]>> {
  return formsOf(sources, local).pipe(map(fieldsByStep));
}

function revisionOf(sources: Services['sources'], local: LocalGuide): Observable<PlayableGuide['revision']> {
  return boundTo(sources, local).pipe(
    map(({ revision }) => revision),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

function fieldsByStep(found: readonly StepForm[]): Map<string, FormFieldView[]> {
  return new Map(
    found.map((form) => {
      const stepid = String(form.stepid);
      const isComputing = form.fields.some(({ computed }) => computed !== undefined);
      const around = isComputing ? { form: form.fields } : {};
      return [stepid, form.fields.map((field) => ({ ...field, stepid, ...around }))];
    }),
  );
}

function comments({ sources }: Services, local: LocalGuide): Observable<LocalComment[]> {
  const records: Observable<Mirrored<'comments'>[]> =
    local.facts === null ? of([]) : sources.core.mirror.where('comments', 'guideid', local.facts.guideid);
  return combineLatest([records, sources.calls]).pipe(
    map(([mirrored, calls]) => overlayComments({ guideid: local.guideid }, mirrored, calls, sources.resolve)),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/** Longest wait, because the estimate of the server's clock may change, ms. */
const longestTick = 60_000;

/** Comments with the server's time. Emits again when one of them can no longer be changed. */
export function timed(
  { sources }: Services,
  discussion: LocalComment[],
): Observable<{ discussion: LocalComment[]; serverNow: number }> {
  const { clock, environment } = sources.core;
  return new Observable((subscriber) => {
    let cancel = (): void => undefined;
    const emit = (): void => {
      const serverNow = clock.serverNow();
      const left = discussion.map(({ at }) => at + commentEditMs - serverNow).filter((ms) => ms > 0);
      if (left.length > 0) cancel = environment.setTimer(emit, Math.min(...left, longestTick));
      subscriber.next({ discussion, serverNow });
    };
    emit();
    return () => cancel();
  });
}

/** Comments on steps. A comment that was written before its step had a number is assigned by the step's key. */
function ofSteps(all: readonly LocalComment[], local: LocalGuide): LocalComment[] {
  const byKey = new Map(
    local.facts?.steps.map((step) => [temporaryStepId(stepKeyOf(step)), String(step.stepid)]),
  );
  return all
    .filter(({ context }) => context === 'step')
    .map((comment) => ({ ...comment, contextid: byKey.get(comment.contextid) ?? comment.contextid }));
}

function editState(services: Services, local: LocalGuide): Observable<PlayableGuide['editState']> {
  return services.drafts.drafts.pipe(
    map(() => {
      if (local.editState === 'conflict' || local.editState === 'parked') return local.editState;
      const open = services.drafts.find(local.guideid);
      if (open === undefined || !services.drafts.hasUnsaved(open)) return local.editState;
      return 'draft' as const;
    }),
    distinctUntilChanged(),
  );
}

/** Readiness for offline use. Computed by `judge`, again whenever a guide is read or a file arrives. */
export function readiness(
  { index, media, sources }: Services,
  judge: (sources: ReadinessSources) => OfflineReadiness,
): Observable<OfflineReadiness> {
  const { environment } = sources.core;
  return combineLatest([
    index.version.pipe(sampled(environment, 200)),
    media.changed.pipe(sampled(environment, 200)),
  ]).pipe(
    map(() =>
      judge({
        find: (id) => index.find(sources.resolve(id)),
        has: (key) => media.cache.has(key),
        isAwaited: (key) => media.cache.isAwaited(key),
        isAppKept: media.isAppKept,
      }),
    ),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}
