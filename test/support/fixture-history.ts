import type {
  GuideHistoryActions,
  GuideHistoryView,
  RevisionView,
  VersionText,
} from '#desktop/engine/api/guide-history.ts';
import { Problem } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import { bullet } from '#shared/model/guide.ts';
import type { StepDifference } from '#shared/rules/guide-difference.ts';

import grinder from '#server/demo-content/own/guides/9001.json' with { type: 'json' };

import type { World } from './fixture-world.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 3, 9);

/** Three revisions of the bench grinder guide, newest first. */
export const demoRevisions: RevisionView[] = [
  { number: 7, guide_revisionid: 907, at: now, author: 'Ana Ruiz' },
  { number: 6, guide_revisionid: 906, at: now - 6 * day, author: 'Ben Okafor' },
  { number: 5, guide_revisionid: 905, at: now - 52 * day, author: 'Mira Haddad' },
];

/** The step that a later version added. */
export const demoSteps: StepDifference[] = [
  {
    number: 2,
    movedFrom: null,
    before: null,
    after: 'Lock the switch',
    lines: [
      { before: null, after: { bullet: 'black', level: 0, text_raw: 'Hang your own lock.' }, isMoved: false },
    ],
    pictures: [],
    hasOtherMedia: false,
  },
];

/** What the device knows about the history of the guide. */
export function demoHistory(): GuideHistoryView {
  return {
    guideid: '9001',
    title: grinder.title,
    present: { ...must(demoRevisions[0], 'the present revision'), revisionid: 107 },
    editState: 'none',
    canEdit: true,
    canRelease: true,
    onDevice: demoRevisions.slice(0, 2),
    releases: [{ number: 5, title: 'v1.2' }],
    approved: [7],
  };
}

/** Revision 7 is the guide of the demo content. Before, a word, a line, a picture and the order of steps were different. */
function demoVersion(guide_revisionid: number): VersionText {
  const picture = (guid: string) => ({ id: 1, guid, width: 1600, height: 1200 });
  const steps = grinder.steps.map((step) => ({
    stepid: step.stepid,
    revisionid: 1,
    title: step.title,
    time_estimate: 0,
    lines: step.lines.map((line) => ({
      id: String(line.lineid),
      lineid: line.lineid,
      bullet: bullet.catch('black').parse(line.bullet),
      level: line.level,
      text_raw: line.text_raw,
    })),
    media: { type: 'image' as const, data: step.media.data.map(({ guid }) => picture(guid)) },
  }));
  if (guide_revisionid < 907) {
    const [first, second, third, fourth] = steps;
    if (first !== undefined) first.lines.splice(1, 1);
    if (second?.lines[0] !== undefined)
      second.lines[0].text_raw = second.lines[0].text_raw.replace('the', 'both of the');
    if (second !== undefined) second.media.data = [];
    if (third !== undefined && fourth !== undefined) steps.splice(2, 2, fourth, third);
    steps.push({ ...must(first, 'a step'), stepid: 99_999, title: 'Clean the bench', lines: [] });
  }
  return {
    guideid: 9001,
    revisionid: 1,
    guide_revisionid,
    revision: { number: guide_revisionid - 900, date: now / 1000 },
    langid: 'en',
    userid: 9101,
    public: true,
    type: 'replacement',
    category: grinder.category,
    subject: '',
    title: grinder.title,
    summary: guide_revisionid < 906 ? 'Change the belt.' : grinder.summary,
    introduction_raw: '',
    conclusion_raw: '',
    difficulty: 'Moderate',
    time_required_min: 0,
    time_required_max: 0,
    flags: [],
    image: null,
    parts: [],
    tools: [],
    documents: [],
    featured_documentid: null,
    featured_document_embed_url: '',
    featured_document_thumbnail_url: '',
    intro_video: null,
    steps,
    created_date: 0,
    published_date: 0,
    modified_date: now / 1000,
    patrol_threshold: 0,
    ogdc_enabled: '',
    per_step_time_enabled: false,
    work_log_enabled: true,
    should_use_granular_permissions: false,
  };
}

/** The engine's actions on the history of guides, in the fixture's world. */
export function historyActions(
  world: () => World,
  change: (make: (now: World) => Partial<World>) => void,
): GuideHistoryActions {
  return {
    async guideRevisions() {
      const { sync, history } = world();
      if (sync.connection === 'offline')
        throw new Problem('unavailable', 'This needs the server, which cannot be reached now');
      const newer = (history?.onDevice ?? []).filter(({ number }) => (number ?? 0) > 7);
      return [...newer, ...demoRevisions];
    },
    guideVersion: async (_, guide_revisionid) => demoVersion(guide_revisionid),
    async restoreVersion() {
      change((now) => ({ history: now.history === null ? null : { ...now.history, editState: 'queued' } }));
    },
    async releaseGuide() {
      if (world().isSavedElsewhere) throw new Problem('conflict', 'The guide has been changed');
    },
    openedGuide: async () => world().editors,
  };
}
