import type { OfflineChoice } from '#desktop/engine/api/offline-records.ts';
import type { GuideRow } from '#desktop/engine/platform/ports.ts';
import { type CategoryEdge, subtreeOf } from '../records/category-tree.ts';

/** What a choice is decided from. */
export interface ChoiceSources {
  rows: readonly Pick<GuideRow, 'id' | 'category' | 'userid'>[];
  edges: readonly CategoryEdge[];
  favorites: ReadonlySet<string>;
  tags: ReadonlyMap<string, readonly string[]>;
  /** Members of the teams. */
  teams: readonly { teamid: number; members: readonly number[] }[];
  /** Teams that a guide is shared with. */
  teamsOf(guideid: string): Promise<readonly number[]>;
}

/**
 * The guides that a choice names, without their prerequisites, favourites first.
 *
 * - CARRY-1 A device keeps everything, or the guides of chosen categories and those below them, of tags, of teams, and the
 *   favourites. Until a person chooses, it keeps the favourites.
 */
export async function chosenGuides(choice: OfflineChoice, sources: ChoiceSources): Promise<string[]> {
  const { rows, edges, favorites, tags } = sources;
  const first = choice.favorites || choice.everything ? [...favorites].toSorted() : [];
  if (choice.everything) return [...new Set([...first, ...rows.map(({ id }) => id)])];
  const categories = new Set(choice.categories.flatMap((title) => [...subtreeOf(title, edges)]));
  const teams = new Set(choice.teams);
  const members = new Set(sources.teams.flatMap((team) => (teams.has(team.teamid) ? [...team.members] : [])));
  const chosen = new Set(first);
  for (const { id, category, userid } of rows) {
    const isChosen =
      categories.has(category) ||
      members.has(userid) ||
      tags.get(id)?.some((tag) => choice.tags.includes(tag)) === true ||
      (teams.size > 0 && (await sources.teamsOf(id)).some((team) => teams.has(team)));
    if (isChosen) chosen.add(id);
  }
  return [...chosen];
}
