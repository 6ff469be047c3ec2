import type { GuideFacts, ReleasedGuide } from '#shared/model/guide.ts';

/** The releases of prerequisites that a guide pins, as far as this device has them. */
export function releasedIn(facts: Pick<GuideFacts, 'prerequisite_releases'>): ReleasedGuide[] {
  return (facts.prerequisite_releases ?? []).flatMap(({ released }) =>
    released === undefined ? [] : [released],
  );
}

/** The facts of a released guide. Without prerequisites, because it is unknown whether the person may see those. */
export function factsOfRelease({ guide, approval }: ReleasedGuide): GuideFacts {
  return { ...guide, prerequisites: [], ...(approval === undefined ? {} : { approval }) };
}

/**
 * The id of a prerequisite in the release that another guide pins, in views and addresses: `7@12` is guide 7 as pinned
 * by 12.
 */
export function pinnedGuideId(guideid: string, by: string): string {
  return `${guideid}@${by}`;
}

/** The guide and the one that pins it (`by`); null for every other id. */
export function pinnedGuide(id: string): { guideid: string; by: string } | null {
  const [, guideid, by] = /^(\d+)@(\d+)$/.exec(id) ?? [];
  return guideid === undefined || by === undefined ? null : { guideid, by };
}
