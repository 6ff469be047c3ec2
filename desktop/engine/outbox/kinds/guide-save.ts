import type { AutomaticMerge } from '#shared/merge/conflict.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { GuideContent } from '#shared/rules/guide-content.ts';

import type { OwnWord } from '../own-words.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

/** What a `guide-create` or `guide-save` call carries beside its body. */
export interface GuideSave {
  /** Names the save in its draft, whatever id its call has. */
  saveId: string;
  /** The server's version that the body is written against; null for a guide that is not there yet. */
  base: GuideFacts | null;
  /** What `content` is to be compared with: the content of `base`, or of the save that was under way before this one. */
  before: GuideContent;
  /** What the person wants the guide to say. */
  content: GuideContent;
  /** It was brought together with what somebody else had saved meanwhile, without a person. */
  merged?: true;
  /** A restored server was offered it again and refused it, and no draft holds its words yet (O30). */
  offered?: true | undefined;
  /** Set while a person must decide; the conflicts themselves are in the draft. */
  contest?: GuideContest | undefined;
}

/** A save that contradicts what somebody else saved meanwhile. */
export interface GuideContest {
  /** What merged by itself. */
  merges: AutomaticMerge[];
  /** What the person wrote there, should the draft be lost. Absent where an earlier version made it. */
  mine?: OwnWord[];
  /** When the person's edit and theirs were made, ms since 1970. */
  mineAt: number;
  theirsAt: number;
}

/** The save in a call's context. Its shape is checked where it is read (outbox/contexts.ts). */
export function guideSaveOf(call: OutboxCall): GuideSave | undefined {
  if (call.kind !== 'guide-create' && call.kind !== 'guide-save') return undefined;
  const context = call.context;
  return typeof context === 'object' && context !== null && 'saveId' in context
    ? (context as GuideSave)
    : undefined;
}
