import type { AutomaticMerge, MergeConflict } from '#shared/merge/conflict.ts';
import type { WikiContent } from '#shared/merge/wiki.ts';
import type { WikiNamespace, WikiVersion } from '#shared/model/wiki.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { OutboxCall } from './ports.ts';

/** What a `wiki-create` or `wiki-save` call carries beside its body. */
export interface WikiSave {
  namespace: WikiNamespace;
  /** What the body is written against; null for a page that is not there yet. */
  base: WikiBase | null;
  /** What the person wants the page to say. */
  content: WikiContent;
  /** It was brought together with what somebody else had saved meanwhile, without a person. */
  merged?: true;
  /** Set while a person must decide. */
  contest?: WikiContest | undefined;
}

/** `revisionid`: null when it is the one that the call before it brings. */
export interface WikiBase {
  revisionid: number | null;
  content: WikiContent;
}

/** A save that contradicts what somebody else saved meanwhile. Both texts are in `conflicts`. */
export interface WikiContest {
  theirs: WikiBase & { userid: number };
  conflicts: MergeConflict[];
  merges: AutomaticMerge[];
  /** When the person's edit and theirs were made, ms since 1970. */
  mineAt: number;
  theirsAt: number;
}

/** The save in a call's context. Contexts are written by this engine alone and come back as they were. */
export function wikiSaveOf(call: OutboxCall): WikiSave | undefined {
  if (call.kind !== 'wiki-create' && call.kind !== 'wiki-save') return undefined;
  const context = call.context;
  return typeof context === 'object' && context !== null && 'content' in context
    ? (context as WikiSave)
    : undefined;
}

/** What can be edited of a version. */
export function wikiContentOf(version: WikiVersion): WikiContent {
  const { title, display_title, parent, description, contents_raw, image, flags, table_of_contents } =
    version;
  return { title, display_title, parent, description, contents_raw, image, flags, table_of_contents };
}

/** A page in which nothing is written. */
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

function wireFields({ contents_raw, image, ...rest }: WikiContent): object {
  return { ...rest, contents: contents_raw, image: image?.id ?? null };
}
