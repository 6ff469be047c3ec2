/**
 * Maximum number of characters of HTML that a text may become, with its lists, links and templates, for one text and
 * for all texts of a record.
 */
export const renderLimits = {
  /** An introduction, conclusion, wiki, story or profile. */
  text: 2_000_000,
  line: 40_000,
  comment: 64_000,
  /** All texts of a guide. */
  guide: 4_000_000,
  /** All comments of an answer. */
  comments: 4_000_000,
} as const;

/** Maximum number of different lists of guides that are looked up for one text; each is shown once. */
export const mostLists = 50;

/** The canonical name of a list of guides, independent of spelling. */
export function listName({ tags = '', type = '' }: Readonly<Record<string, string>>): string {
  return `${tags}|${type}`.toLowerCase().replaceAll(/\s+/g, '');
}

/** The number of characters of HTML that may still be written. Several texts may share one budget. */
export class RenderBudget {
  /** Whether something was left out because the budget was used up. */
  isCut = false;
  left: number;

  constructor(characters: number) {
    this.left = characters;
  }

  /** A budget for one text: at most `characters`, and at most what is left here. */
  forText(characters: number): RenderBudget {
    return new RenderBudget(Math.min(characters, this.left));
  }

  /** Charges a text that was written with its own budget. */
  count(characters: number, { isCut }: RenderBudget): void {
    this.left = Math.max(0, this.left - characters);
    if (isCut) this.isCut = true;
  }
}
