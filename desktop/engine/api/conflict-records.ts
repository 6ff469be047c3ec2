export interface TextSpan {
  text: string;
  by: 'base' | 'mine' | 'theirs';
}

export interface GuideConflictView {
  conflictid: string;
  /** e.g. { step: 2, line: 1 } (1-based), { field: 'title' }, or { field: 'info', element: 'Voltage' }. */
  place: { field?: string; element?: string; step?: number; stepTitle?: string; line?: number };
  kind: 'words' | 'value' | 'deleted-by-them' | 'deleted-by-me';
  base: string;
  mine: TextSpan[];
  theirs: TextSpan[];
  suggestion: TextSpan[];
  /** 'both' is offered only if both texts can be kept. */
  canKeepBoth: boolean;
  mineAt: number;
  theirsAt: number;
}

export type ConflictChoice =
  | { take: 'mine' }
  | { take: 'theirs' }
  | { take: 'both' }
  | { take: 'text'; text: string };

export interface GuideConflicts {
  /** Of a page: `wiki:{wikiid}`. */
  guideid: string;
  title: string;
  /** Who saved the server's version; '' if unknown. */
  theirName: string;
  conflicts: GuideConflictView[];
  /** What merged by itself, as short facts. */
  merged: string[];
}
