import type { LineContent } from '#shared/rules/guide-content.ts';

export interface TextSpan {
  text: string;
  by: 'base' | 'mine' | 'theirs';
}

export interface GuideConflictView {
  conflictid: string;
  /** Both versions as they are compared, to notice that one of them has changed since a choice. */
  versions: string;
  /**
   * e.g. { step: 2, line: 1 } (1-based), { field: 'title' }, or { field: 'info', element: 'Voltage' }. `stepKey` and
   * `lineId` identify the step (`ContestedStep`) and its line.
   */
  place: {
    field?: string;
    element?: string;
    step?: number;
    stepKey?: string;
    stepTitle?: string;
    line?: number;
    lineId?: string;
  };
  kind: 'words' | 'value' | 'deleted-by-them' | 'deleted-by-me';
  base: string;
  mine: TextSpan[];
  theirs: TextSpan[];
  suggestion: TextSpan[];
  /** 'both' is offered only if both texts can be kept. */
  canKeepBoth: boolean;
  mineAt: number;
  theirsAt: number;
  /** The guids of the pictures of both versions, if the conflict is about pictures. */
  pictures?: { mine: string[]; theirs: string[] };
}

/** A step with conflicts, as it is while they are open. */
export interface ContestedStep {
  key: string;
  /** Counted from 1. */
  number: number;
  title: string;
  /** The guids of its pictures. */
  pictures: string[];
  lines: LineContent[];
}

/** A choice for one conflict. `versions`: those that the person saw (`GuideConflictView`). */
export interface Decision {
  conflictid: string;
  versions: string;
  choice: ConflictChoice;
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
  /** The steps with conflicts, in the order of the guide; none for a page. */
  steps: ContestedStep[];
  /** What merged by itself, as short facts. */
  merged: string[];
}
