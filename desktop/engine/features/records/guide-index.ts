import MiniSearch, { type SearchResult } from 'minisearch';
import { type Observable, type Subscription, BehaviorSubject, firstValueFrom } from 'rxjs';

import type { GuideFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { type GuideContent, contentOf } from '#shared/rules/guide-content.ts';

import { mediaNeeds } from '../media/needs.ts';
import type { Environment, GuideRow } from '#desktop/engine/platform/ports.ts';
import { factsOfRelease, releasedIn } from './releases.ts';
import { type SearchText, searchFields, searchTextOf, searchWords, snippetOf } from './search-text.ts';

/** The guides that an index reads: the mirror's, or an archive's. */
export interface GuideShelf {
  guideRows(): Observable<GuideRow[]>;
  guide(id: string): Promise<{ seq: number; facts: GuideFacts } | null>;
}

/** What the index knows of a guide beside its words. */
export interface IndexedGuide {
  seq: number;
  text: SearchText;
  /** Keys of the files that the guide shows. */
  files: readonly string[];
  /** Those of them that what it requires showed when it was released. */
  releasedFiles: readonly string[];
  prerequisites: readonly string[];
  /** Keys or numbers of its steps, as text. */
  steps: readonly string[];
}

export interface SearchHit {
  id: string;
  snippet: { text: string; marks: [number, number][] } | null;
}

/** So many of the best guides say where they were found: as many as fit a screen or two. */
const snippets = 40;

/** Longest uninterrupted work, in ms: the page must answer in between. */
const chunkMs = 16;

/**
 * Knows the words and the files of every guide of a shelf. Built in small pieces when it is first asked for, and
 * kept up to date from then on; until a guide is read, its title and summary stand for it.
 */
export class GuideIndex {
  readonly #shelf: GuideShelf;
  readonly #environment: Environment;
  readonly #search = new MiniSearch<SearchText & { id: string }>({
    fields: [...searchFields],
    tokenize: searchWords,
    processTerm: (term) => term,
    searchOptions: {
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 3 ? 0.2 : false),
      boost: { title: 6, subject: 4, category: 3, summary: 3, parts: 2, tools: 2 },
    },
  });
  readonly #guides = new Map<string, IndexedGuide>();
  readonly #images = new Map<string, ImageRef>();
  readonly #local = new Map<string, GuideContent>();
  readonly #stale = new Map<string, number>();
  readonly #version = new BehaviorSubject(0);
  #subscription: Subscription | null = null;
  #isReading = false;

  constructor(shelf: GuideShelf, environment: Environment) {
    this.#shelf = shelf;
    this.#environment = environment;
  }

  /** Counts up as guides are read. */
  get version(): Observable<number> {
    return this.#version;
  }

  find(id: string): IndexedGuide | undefined {
    return this.#guides.get(id);
  }

  /** A picture that some guide shows. */
  imageOf(guid: string): ImageRef | undefined {
    return this.#images.get(guid);
  }

  /** Begins to follow the shelf; from then on every guide that arrives is read. */
  start(): void {
    this.#subscription ??= this.#shelf.guideRows().subscribe((rows) => this.#follow(rows));
  }

  close(): void {
    this.#subscription?.unsubscribe();
    this.#stale.clear();
  }

  /** Guides as waiting calls make them; they take the place of the shelf's. */
  setLocal(contents: ReadonlyMap<string, GuideContent>): void {
    const changed = [...contents].filter(([id, content]) => this.#local.get(id) !== content);
    const gone = [...this.#local.keys()].filter((id) => !contents.has(id));
    for (const [id, content] of changed) {
      this.#local.set(id, content);
      this.#put(id, content, null, this.#guides.get(id)?.seq ?? 0);
      if (!id.startsWith('tmp:')) this.#stale.set(id, 0);
    }
    for (const id of gone) {
      this.#local.delete(id);
      this.#remove(id);
      this.#stale.set(id, 0);
    }
    if (changed.length + gone.length > 0) this.#version.next(this.#version.value + 1);
    this.#read();
  }

  /** The best guides first, these with a snippet. All words must be found, or else words like them, or else any of them. */
  search(query: string): SearchHit[] {
    return this.#find(query).map(({ id, terms }, place) => {
      const text = place < snippets ? this.#guides.get(String(id))?.text : undefined;
      return { id: String(id), snippet: text === undefined ? null : snippetOf(text, new Set(terms)) };
    });
  }

  /** Looking for similar words takes much longer, so it waits until there is nothing else. */
  #find(query: string): SearchResult[] {
    const exact = this.#search.search(query, { combineWith: 'AND', fuzzy: false });
    if (exact.length > 0) return exact;
    const similar = this.#search.search(query, { combineWith: 'AND' });
    return similar.length > 0 ? similar : this.#search.search(query, { combineWith: 'OR' });
  }

  /** The guide that a step of the shelf belongs to; reads what is not read yet until it is found. */
  async guideOfStep(stepid: string): Promise<string | undefined> {
    for (const [id, { steps }] of this.#guides) if (steps.includes(stepid)) return id;
    for (const { id, seq } of await firstValueFrom(this.#shelf.guideRows())) {
      if (this.#guides.get(id)?.seq === seq) continue;
      const record = await this.#shelf.guide(id);
      if (record?.facts.steps.some((step) => String(step.stepid) === stepid) === true) return id;
    }
    return undefined;
  }

  /** Whether every guide of the shelf has been read. */
  get isComplete(): boolean {
    return this.#stale.size === 0;
  }

  #follow(rows: readonly GuideRow[]): void {
    const present = new Set<string>();
    for (const { id, seq } of rows) {
      present.add(id);
      if (this.#guides.get(id)?.seq !== seq) this.#stale.set(id, seq);
    }
    for (const id of this.#guides.keys()) {
      if (!present.has(id) && !this.#local.has(id)) this.#remove(id);
    }
    this.#read();
  }

  #read(): void {
    if (this.#isReading || this.#stale.size === 0) return;
    this.#isReading = true;
    this.#environment.setTimer(() => void this.#readSome(), 0);
  }

  async #readSome(): Promise<void> {
    const began = this.#environment.monotonic();
    for (const id of this.#stale.keys()) {
      this.#stale.delete(id);
      const record = id.startsWith('tmp:') ? null : await this.#shelf.guide(id);
      if (record !== null)
        this.#put(id, this.#local.get(id) ?? contentOf(record.facts), record.facts, record.seq);
      if (this.#environment.monotonic() - began > chunkMs) break;
    }
    this.#isReading = false;
    this.#version.next(this.#version.value + 1);
    this.#read();
  }

  /** `facts`: what the shelf has of the guide; null: nothing, or it is read later. */
  #put(id: string, content: GuideContent, facts: GuideFacts | null, seq: number): void {
    const text = searchTextOf(content);
    if (this.#search.has(id)) this.#search.replace({ id, ...text });
    else this.#search.add({ id, ...text });
    const known = this.#guides.get(id);
    const releases = facts === null ? [] : releasedIn(facts).map(factsOfRelease);
    const releasedFiles =
      facts === null ? (known?.releasedFiles ?? []) : releases.flatMap((one) => filesOf(contentOf(one), one));
    this.#guides.set(id, {
      seq,
      text,
      files: [...new Set([...filesOf(content, facts), ...releasedFiles])],
      releasedFiles,
      prerequisites: content.prerequisites.map(String),
      steps: facts === null ? (known?.steps ?? []) : facts.steps.map((step) => String(step.stepid)),
    });
    for (const one of [content, ...releases.map(contentOf)])
      for (const image of imagesOf(one)) this.#images.set(image.guid, image);
  }

  #remove(id: string): void {
    if (this.#search.has(id)) this.#search.discard(id);
    this.#guides.delete(id);
  }
}

function filesOf(content: GuideContent, facts: GuideFacts | null): string[] {
  return mediaNeeds(content, facts, new Map()).map((need) => need.key);
}

/** Every picture of a guide. */
export function imagesOf(content: GuideContent): ImageRef[] {
  const pictures = content.steps.flatMap(({ media }) => (media.type === 'image' ? media.data : []));
  return content.image === null ? pictures : [content.image, ...pictures];
}
