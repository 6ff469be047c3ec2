import { type Observable, combineLatest, distinctUntilChanged, map, shareReplay } from 'rxjs';

import type { ImageRef } from '#shared/model/image.ts';
import type { ViewerFacts } from '#shared/model/viewer.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import type { TemplatePage } from '#shared/rules/wiki-templates.ts';

import { asPerson } from '#desktop/engine/account/station/as-person.ts';
import type { Session } from '#desktop/engine/api/sync-records.ts';
import type { Core } from '#desktop/engine/account/core.ts';
import type { GuideRow, OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { ResolveId } from './overlay/applies.ts';
import { type Everybody, overlayPeople } from './overlay/people.ts';
import { type Marks, overlayMarks } from './overlay/viewer.ts';

/** The signed-in person; userid 0 while nobody is signed in. */
export interface Me {
  userid: number;
  server: string;
  privileges: string[];
  flags: { flagid: string; title: string; text: string }[];
}

/** Streams that several views share. Each is computed once for all of them. */
export interface Sources {
  core: Core;
  resolve: ResolveId;
  me: Observable<Me>;
  site: Observable<{
    title: string;
    guideTypes: string[];
    langid: string;
    languages: string[];
    /** Whether guides show their prerequisites in the pinned releases. */
    releases: boolean;
  }>;
  calls: Observable<readonly OutboxCall[]>;
  rows: Observable<GuideRow[]>;
  people: Observable<Everybody>;
  names: Observable<ReadonlyMap<number, string>>;
  favorites: Observable<Marks>;
  completions: Observable<Marks>;
  /** Images of the media index by id. Texts name images by id. */
  images: Observable<ReadonlyMap<number, ImageRef>>;
  /** Pages of the namespace WIKI, which texts use as templates. */
  templates: Observable<readonly TemplatePage[]>;
  /** Tags of guides by guideid, as on the server. */
  guideTags: Observable<ReadonlyMap<string, readonly string[]>>;
  draftIds: Observable<readonly string[]>;
}

/** Makes the streams of an engine. */
export function createSources(core: Core): Sources {
  const resolve: ResolveId = (id) => core.outbox.realId(id) ?? id;
  const calls = core.outbox.calls.pipe(shared());
  const viewer = core.mirror.all('viewer').pipe(
    map((records) => records.map(({ seq, facts }) => ({ seq, facts }))),
    shared(),
  );
  const marks = (kind: 'favorite' | 'completion'): Observable<Marks> =>
    combineLatest([viewer, calls]).pipe(
      map(([records, waiting]) => overlayMarks(kind, marked(kind, records), waiting, resolve)),
      shared(),
    );
  const people = combineLatest([core.mirror.all('people'), aboutPeople(calls)]).pipe(
    map(([records, waiting]) => overlayPeople(records, waiting)),
    shared(),
  );
  return {
    core,
    resolve,
    calls,
    me: meIn(core, viewer),
    site: siteIn(viewer),
    rows: core.mirror.guideRows().pipe(shared()),
    people,
    names: combineLatest([people, atStation(core)]).pipe(
      map(
        ([everybody, others]) =>
          new Map(
            [...others, ...everybody.people].map(({ userid, username }) => [userid, username] as const),
          ),
      ),
      shared(),
    ),
    favorites: marks('favorite'),
    completions: marks('completion'),
    images: imagesIn(core),
    templates: templatesIn(core),
    guideTags: guideTagsIn(viewer),
    draftIds: core.drafts.ids.pipe(shared()),
  };
}

/** The mirror's records about the person and the site. */
type ViewerRecords = Observable<{ seq: number; facts: ViewerFacts }[]>;

function meIn(core: Core, viewer: ViewerRecords): Sources['me'] {
  return combineLatest([sessionOf(core), viewer]).pipe(
    map(([session, records]) => {
      const { user, server } = session;
      const facts = records.find((record) => record.facts.kind === 'me')?.facts;
      const { flags = [], privileges = user?.privileges ?? [] } = facts?.kind === 'me' ? facts : {};
      // The privileges of the session are those of the sign-in; the feed brings later ones.
      return { userid: user?.userid ?? 0, server: server ?? '', privileges, flags };
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
    shared(),
  );
}

/** The session, at a station that of the person who is signed in there. */
export function sessionOf(core: Core): Observable<Session> {
  return combineLatest([core.session.state, core.station.state]).pipe(
    map(([session, station]) => asPerson(session, station?.person ?? null)),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/** The people of the station, those who were, and the station itself; none on other devices. */
function atStation(core: Core): Observable<readonly { userid: number; username: string }[]> {
  return core.station.state.pipe(
    map((station) => {
      if (station === null) return [];
      const { self, former } = station;
      return [...former, ...self.people, { userid: self.stationid, username: self.name }];
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

function siteIn(viewer: ViewerRecords): Sources['site'] {
  return viewer.pipe(
    map((records) => {
      const facts = records.find((record) => record.facts.kind === 'site')?.facts;
      return facts?.kind === 'site'
        ? {
            title: facts.title ?? '',
            guideTypes: facts.guideTypes,
            langid: facts.langid,
            languages: facts.languages ?? [],
            releases: facts.releases ?? false,
          }
        : { title: '', guideTypes: [], langid: 'en', languages: [], releases: false };
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
    shared(),
  );
}

function imagesIn(core: Core): Sources['images'] {
  return core.mirror.all('media').pipe(
    map((records) => {
      return new Map(
        records.flatMap(({ facts }) =>
          facts.kind === 'image' ? [[facts.image.id, facts.image] as const] : [],
        ),
      );
    }),
    shared(),
  );
}

function templatesIn(core: Core): Sources['templates'] {
  return core.mirror.all('wikis').pipe(
    map((records) =>
      records.flatMap(({ facts }) => (facts.namespace === 'WIKI' ? [templatePage(facts)] : [])),
    ),
    distinctUntilChanged((a, b) => sameValue(a, b)),
    shared(),
  );
}

function guideTagsIn(viewer: ViewerRecords): Sources['guideTags'] {
  return viewer.pipe(
    map((records) => {
      return new Map(
        records.flatMap(({ facts }) =>
          facts.kind === 'guideTags' ? [[String(facts.guideid), facts.tags] as const] : [],
        ),
      );
    }),
    distinctUntilChanged((a, b) => sameValue([...a], [...b])),
    shared(),
  );
}

function templatePage({ title, langid, contents_raw, source_revisionid }: TemplatePage): TemplatePage {
  return { title, langid, contents_raw, source_revisionid };
}

function marked(
  kind: 'favorite' | 'completion',
  records: readonly { seq: number; facts: ViewerFacts }[],
): Map<string, number> {
  return new Map(
    records.flatMap(({ seq, facts }) => (facts.kind === kind ? [[String(facts.guideid), seq] as const] : [])),
  );
}

/** Calls about people and teams. Does not emit when other calls change, which happens more often. */
export function aboutPeople(calls: Observable<readonly OutboxCall[]>): Observable<readonly OutboxCall[]> {
  return calls.pipe(
    map((all) => all.filter(({ target }) => target.collection === 'people')),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}

/** Shares a stream, and replays its last value to new subscribers while there are others. */
export function shared<T>(): (source: Observable<T>) => Observable<T> {
  return shareReplay({ bufferSize: 1, refCount: true });
}

/** The real id once there is one, before that the id itself. */
export function realIdOf(sources: Sources, id: string): Observable<string> {
  return sources.calls.pipe(
    map(() => sources.resolve(id)),
    distinctUntilChanged(),
  );
}
