/** Most characters of HTML that texts become, whatever they list, link and include: of one text, and of all of a record. */
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

/** Different lists of guides that are looked up for one text; each is shown once. */
export const mostLists = 50;

/** What tells one list of guides from another, however it is spelt. */
export function listName({ tags = '', type = '' }: Readonly<Record<string, string>>): string {
  return `${tags}|${type}`.toLowerCase().replaceAll(/\s+/g, '');
}

/** Characters of HTML that may still be written. One may stand for several texts, which share it. */
export class RenderBudget {
  /** Whether something was left out because the budget was used up. */
  isCut = false;
  left: number;

  constructor(characters: number) {
    this.left = characters;
  }

  /** A budget for one text: at most `characters`, and no more than is left here. */
  forText(characters: number): RenderBudget {
    return new RenderBudget(Math.min(characters, this.left));
  }

  /** Counts a text that was written with a budget of its own. */
  count(characters: number, { isCut }: RenderBudget): void {
    this.left = Math.max(0, this.left - characters);
    if (isCut) this.isCut = true;
  }
}
