/** People of a team; each has one device. */
export const peopleOfTeam = 10;

/** What the server contains. */
export interface Ground {
  url: string;
  /** The author of all guides, an administrator. */
  author: string;
  /** Tokens of the people, team by team. */
  tokens: string[];
  /** Guides that everybody may see. */
  publicGuides: number[];
  /** One guide for each team. */
  teamGuides: number[];
  checkpoint: string;
}
