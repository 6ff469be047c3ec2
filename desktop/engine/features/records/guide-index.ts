import MiniSearch, { type SearchResult } from 'minisearch';
import { type Observable, type Subscription, BehaviorSubject, firstValueFrom } from 'rxjs';

import type { GuideFacts, SupplyFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { type GuideContent, contentOf } from '#shared/rules/guide-content.ts';

import type { NamedSupply } from '#desktop/engine/api/finder.ts';
import { mediaNeeds } from '../media/needs.ts';
import type { Environment, GuideRow } from '#desktop/engine/platform/ports.ts';
import { factsOfRelease, releasedIn } from './pinned-releases.ts';
import { findWords, indexOptions } from './search-index.ts';
import { type SearchText, foldWord, searchFields, searchTextOf, snippetOf } from './search-text.ts';

/** The guides that an index reads: those of the mirror or of an archive. */
export interface GuideShelf {
  guideRows(): Observable<GuideRow[]>;
  guide(id: string): Promise<{ seq: number; facts: GuideFacts } | null>;
}

/** A guide in the index. */
export interface IndexedGuide {
  seq: number;
  text: SearchText;
  /** Title of its category. */
  category: string;
  /** Keys of the files that the guide shows. */
  files: readonly string[];
  /** Those of them that the pinned releases of its prerequisites show. */
  releasedFiles: readonly string[];
  prerequisites: readonly string[];
  /** Numbers of its steps, as text. */
  steps: readonly string[];
  parts: readonly NamedSupply[];
  tools: readonly NamedSupply[];
}

/** A guide that a search found, with an excerpt; null beyond the top results. `marks`: positions of the found words. */
export interface SearchHit {
  id: string;
  snippet: { text: string; marks: [number, number][] } | null;
}

/** Number of top results that include a highlighted excerpt: enough for one or two screens. */
const snippets = 40;

/** Longest uninterrupted work, ms. In between, the page can respond. */
const chunkMs = 16;
/** Delay of the first read, ms: the library is shown first. */
const firstReadMs = 400;

/**
 * The words and files of every guide of a shelf. Built in small pieces of work from the first `start` on, and kept up
 * to date. Until a guide is read, callers search its title and summary.
 */
export class GuideIndex {
  readonly #shelf: GuideShelf;
  readonly #environment: Environment;
  readonly #search = new MiniSearch<SearchText & { id: string }>(
    indexOptions(searchFields, { title: 6, subject: 4, category: 3, summary: 3, parts: 2, tools: 2 }),
  );
  readonly #guides = new Map<string, IndexedGuide>();
  readonly #images = new Map<string, ImageRef>();
  readonly #local = new Map<string, GuideContent>();
  readonly #stale = new Map<string, number>();
  #categories: ReadonlyMap<string, string> = new Map();
  readonly #version = new BehaviorSubject(0);
  #subscription: Subscription | null = null;
  #isReading = false;

  constructor(shelf: GuideShelf, environment: Environment) {
    this.#shelf = shelf;
    this.#environment = environment;
  }

  /** A counter that grows as guides are read. */
  get version(): Observable<number> {
    return this.#version;
  }

  /** The parts or tools that the guides name, those of the most guides first. */
  supplies(field: 'parts' | 'tools'): NamedSupply[] {
    const counted = new Map<string, { supply: NamedSupply; guides: number }>();
    for (const guide of this.#guides.values())
      for (const supply of guide[field]) {
        const id = `${foldWord(supply.text.trim())}\n${foldWord(supply.type.trim())}`;
        const known = counted.get(id);
        if (known === undefined) counted.set(id, { supply, guides: 1 });
        else known.guides += 1;
      }
    return [...counted.values()]
      .filter(({ supply }) => supply.text.trim() !== '')
      .toSorted((a, b) => b.guides - a.guides || a.supply.text.localeCompare(b.supply.text))
      .map(({ supply }) => supply);
  }

  find(id: string): IndexedGuide | undefined {
    return this.#guides.get(id);
  }

  /** A picture that a guide shows, by guid. */
  imageOf(guid: string): ImageRef | undefined {
    return this.#images.get(guid);
  }

  /** Begins to follow the shelf. From then on, every new or changed guide is read. */
  start(): void {
    this.#subscription ??= this.#shelf.guideRows().subscribe((rows) => this.#follow(rows));
  }

  close(): void {
    this.#subscription?.unsubscribe();
    this.#stale.clear();
  }

  /** Sets the guides that waiting calls change. They replace those of the shelf. */
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

  /**
   * Sets the words by which the guides of each category are found, a line for each name (`categoryWords`). Guides whose
   * words changed are read again.
   *
   * - FIND-3 The names of a category, and of those above it, find its guides.
   */
  setCategories(words: ReadonlyMap<string, string>): void {
    const before = this.#categories;
    this.#categories = words;
    for (const [id, { category, seq }] of this.#guides) {
      if (before.get(category) === words.get(category)) continue;
      const local = this.#local.get(id);
      if (local !== undefined) this.#put(id, local, null, seq);
      if (!id.startsWith('tmp:')) this.#stale.set(id, seq);
    }
    this.#read();
  }

  /** Best guides first. */
  search(query: string): SearchHit[] {
    return findWords(this.#search, query).map(({ id, terms }: SearchResult, place) => {
      const text = place < snippets ? this.#guides.get(String(id))?.text : undefined;
      return { id: String(id), snippet: text === undefined ? null : snippetOf(text, new Set(terms)) };
    });
  }

  /** The guide of a step. Also reads guides that are not in the index yet, until it is found. */
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
    for (const { id, seq, isTitle } of rows) {
      present.add(id);
      if (isTitle !== true && this.#guides.get(id)?.seq !== seq) this.#stale.set(id, seq);
    }
    for (const id of this.#guides.keys()) {
      if (!present.has(id) && !this.#local.has(id)) this.#remove(id);
    }
    this.#read();
  }

  #read(): void {
    if (this.#isReading || this.#stale.size === 0) return;
    this.#isReading = true;
    this.#environment.setTimer(() => void this.#readSome(), this.#version.value === 0 ? firstReadMs : 0);
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

  /** `facts`: the record of the shelf; null if it has none, or is read later. */
  #put(id: string, content: GuideContent, facts: GuideFacts | null, seq: number): void {
    const { category } = content;
    const text = { ...searchTextOf(content), category: this.#categories.get(category) ?? category };
    if (this.#search.has(id)) this.#search.replace({ id, ...text });
    else this.#search.add({ id, ...text });
    const known = this.#guides.get(id);
    const releases = facts === null ? [] : releasedIn(facts).map(factsOfRelease);
    const releasedFiles =
      facts === null ? (known?.releasedFiles ?? []) : releases.flatMap((one) => filesOf(contentOf(one), one));
    this.#guides.set(id, {
      seq,
      text,
      category,
      files: [...new Set([...filesOf(content, facts), ...releasedFiles])],
      releasedFiles,
      prerequisites: content.prerequisites.map(String),
      steps: facts === null ? (known?.steps ?? []) : facts.steps.map((step) => String(step.stepid)),
      parts: content.parts.map(named),
      tools: content.tools.map(named),
    });
    for (const one of [content, ...releases.map(contentOf)])
      for (const image of imagesOf(one)) this.#images.set(image.guid, image);
  }

  #remove(id: string): void {
    if (this.#search.has(id)) this.#search.discard(id);
    this.#guides.delete(id);
  }
}

function named({ text, type, url }: SupplyFacts): NamedSupply {
  return { text, type, url };
}

function filesOf(content: GuideContent, facts: GuideFacts | null): string[] {
  return mediaNeeds(content, facts).map((need) => need.key);
}

/** Every picture of a guide. */
export function imagesOf(content: GuideContent): ImageRef[] {
  const pictures = content.steps.flatMap(({ media }) => (media.type === 'image' ? media.data : []));
  return content.image === null ? pictures : [content.image, ...pictures];
}
