/** How views and addresses name a prerequisite as another guide asks for it: "guide 7 as guide 12 wants it". */
export function pinnedGuideId(guideid: string, by: string): string {
  return `${guideid}@${by}`;
}

/** The guide, and the one that asks for it; null for every other id. */
export function pinnedGuide(id: string): { guideid: string; by: string } | null {
  const [, guideid, by] = /^(\d+)@(\d+)$/.exec(id) ?? [];
  return guideid === undefined || by === undefined ? null : { guideid, by };
}
