import { z } from 'zod';

import type { AutomaticMerge, MergeConflict } from '#shared/merge/conflict.ts';
import { mergeWiki, type WikiContent } from '#shared/merge/wiki.ts';
import { wikiFacts, type WikiFacts, type WikiNamespace, type WikiVersion } from '#shared/model/wiki.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { newestVersion } from '#shared/rules/wiki-record.ts';
import { tolerant } from '#shared/sync/tolerant.ts';

import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { contestedWords, ownFields } from '../own-words.ts';
import { fieldsDetail, type CallKindSpec, joined, fieldsOf, type Settled } from './kind.ts';

/** Context of a `wiki-create` or `wiki-save` call. */
export interface WikiSave {
  namespace: WikiNamespace;
  /** Language of a page that is created as a translation. */
  langid?: string;
  /** The version that the body is based on; null for a new page. */
  base: WikiBase | null;
  /** Content after the edit. */
  content: WikiContent;
  /** It was merged automatically with what somebody else had saved. */
  merged?: true;
  /** Set while a person must decide. */
  contest?: WikiContest | undefined;
}

/** `revisionid`: null if the call before it produces it. */
export interface WikiBase {
  revisionid: number | null;
  content: WikiContent;
}

/** A conflict of a save with what somebody else saved meanwhile. Both texts are in `conflicts`. */
export interface WikiContest {
  theirs: WikiBase & { userid: number };
  conflicts: MergeConflict[];
  merges: AutomaticMerge[];
  /** When the person's edit and theirs were made, ms since 1970. */
  mineAt: number;
  theirsAt: number;
}

/** The save in a call's context. Its schema is checked when the call is read (`pageKinds`). */
export function wikiSaveOf(call: OutboxCall): WikiSave | undefined {
  if (call.kind !== 'wiki-create' && call.kind !== 'wiki-save') return undefined;
  const context = call.context;
  return typeof context === 'object' && context !== null && 'content' in context
    ? (context as WikiSave)
    : undefined;
}

/** The parts of a version that can be edited. */
export function wikiContentOf(version: WikiVersion): WikiContent {
  const { title, display_title, parent, description, contents_raw, image, flags, table_of_contents } =
    version;
  const { page_title, repairability_score, documents, info, suppliers } = version;
  return {
    title,
    display_title,
    parent,
    description,
    contents_raw,
    image,
    flags,
    table_of_contents,
    ...(page_title === undefined ? {} : { page_title }),
    ...(repairability_score === undefined ? {} : { repairability_score }),
    ...(documents === undefined ? {} : { documents }),
    ...(info === undefined ? {} : { info }),
    ...(suppliers === undefined ? {} : { suppliers }),
  };
}

/** Path of a page in the API. */
export function pagePath(namespace: WikiNamespace, title: string): string {
  return `/wikis/${namespace}/${encodeURIComponent(title)}`;
}

/** Content of an empty page. */
export function blankWiki(title: string): WikiContent {
  return {
    title,
    display_title: '',
    parent: null,
    description: '',
    contents_raw: '',
    image: null,
    flags: [],
    table_of_contents: false,
  };
}

/** The smallest PATCH body that turns `before` into `after`; null when nothing differs. */
export function wikiEditBody(before: WikiContent, after: WikiContent): object | null {
  const entries = Object.entries(wireFields(after));
  const old = new Map<string, unknown>(Object.entries(wireFields(before)));
  const changed = entries.filter(([name, value]) => !sameValue(value, old.get(name)));
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

function wireFields(content: WikiContent): object {
  const { contents_raw, image, documents = [], info = [], suppliers = [], ...rest } = content;
  return {
    ...rest,
    contents: contents_raw,
    info,
    suppliers,
    image: image === null ? null : fileId(image.id, image.guid),
    documents: documents.map(({ documentid, guid }) => fileId(documentid, guid)),
  };
}

/** The id of a file in a body: its number, or its temporary id before it is uploaded. */
function fileId(id: number, guid: string): number | string {
  return id === 0 ? guid : id;
}

const page = z.looseObject({ title: z.string() });
const contest = z.looseObject({
  merges: z.array(z.looseObject({})),
  mineAt: z.number(),
  theirsAt: z.number(),
});

const wikiSave = z.union([
  z.looseObject({ content: z.undefined().optional() }),
  z.looseObject({
    base: z.looseObject({ content: page }).nullable(),
    content: page,
    contest: contest.optional(),
  }),
]);

const pictureLost =
  'A picture or document in this is not on the server. Open it, add the file again and save: the rest of your change is kept.';

const saving = {
  activity: 'page',
  context: wikiSave,
  fileLost: pictureLost,
  words: (call) => {
    const save = wikiSaveOf(call);
    if (save === undefined) return undefined;
    const mine = contestedWords(save.contest?.conflicts ?? []);
    return [...ownFields(save.base?.content ?? blankWiki(''), save.content), ...mine];
  },
  detail: (call) => fieldsDetail(call) + (wikiSaveOf(call)?.merged === true ? ',merged' : ''),
} as const satisfies Partial<CallKindSpec>;

const undecidable =
  'Someone else changed this page meanwhile, and the two versions could not be shown side by side. Your text is kept here: check the page, then write it anew or discard it.';

/** Accepts pages of newer servers with unknown properties. */
const readWiki = tolerant(wikiFacts);

/** Merges a save with the server's version. Without conflicts it is sent again; otherwise a person decides. */
function mergeSave(call: OutboxCall, page: unknown): Settled {
  const save = wikiSaveOf(call);
  const base = save?.base ?? null;
  if (page === undefined) return { action: 'park', message: 'The page is no longer there' };
  if (save === undefined || base === null) return { action: 'park', message: undecidable };
  const version = newestVersion(readWiki.parse(page));
  const theirs = { revisionid: version.revisionid, content: wikiContentOf(version), userid: version.userid };
  const { merged, conflicts, merges } = mergeWiki(base.content, save.content, theirs.content);
  if (conflicts.length > 0) {
    const contest = { theirs, conflicts, merges, mineAt: call.at, theirsAt: version.modified_date * 1000 };
    return { action: 'decide', context: { ...save, content: merged, contest } satisfies WikiSave };
  }
  const body = wikiEditBody(theirs.content, merged);
  if (body === null) return { action: 'drop' };
  const { revisionid, content } = theirs;
  return {
    action: 'resend',
    body,
    query: { ...call.query, revisionid: String(revisionid) },
    context: {
      namespace: save.namespace,
      base: { revisionid, content },
      content: merged,
      merged: true,
    } satisfies WikiSave,
  };
}

function isMistaken(call: OutboxCall, facts: unknown): boolean {
  const base = wikiSaveOf(call)?.base ?? null;
  const version = newestVersion(facts as WikiFacts);
  return (
    base !== null &&
    version.revisionid === base.revisionid &&
    !sameValue(wikiContentOf(version), base.content)
  );
}

/** Calls that change a wiki page. */
export const pageKinds = {
  'wiki-create': saving,
  'wiki-save': {
    ...saving,
    conflict: mergeSave,
    isMistaken,
    join: (last, incoming) =>
      last.kind === 'wiki-save' || last.kind === 'wiki-create'
        ? joined(last, incoming, { ...fieldsOf(last.body), ...fieldsOf(incoming.body) })
        : null,
  },
  'wiki-delete': {
    activity: 'page',
    conflict: 'decide',
    join: (last, incoming, isNeeded) => {
      if (last.kind === 'wiki-create')
        return isNeeded ? null : { put: [], drop: [last.id], result: incoming };
      if (last.kind !== 'wiki-save') return null;
      return { put: [{ ...incoming, query: last.query }], drop: [last.id], result: incoming };
    },
    detail: () => 'removed',
  },
  // Patrolling and restoring a version join nothing: each is sent on the revision that the person saw, or that the call
  // before it produces.
  'wiki-patrol': { activity: 'page', detail: () => 'patrolled' },
  'wiki-revert': { activity: 'page', detail: () => 'reverted' },
} satisfies Record<string, CallKindSpec>;
