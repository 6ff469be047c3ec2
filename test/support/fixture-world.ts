import type { DesignedForm } from '#desktop/engine/areas/step-forms.ts';
import type { ComingArchive, ArchiveNews } from '#desktop/engine/api/archives.ts';
import type { FeedbackTask } from '#desktop/engine/api/feedback-records.ts';
import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import type { WaitingConfirmation } from '#desktop/engine/api/order-signing.ts';
import type { PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
import type { ShiftSummaryView } from '#desktop/engine/api/shift-records.ts';
import type { OrderRecordView } from '#desktop/engine/areas/order-records.ts';
import type { StationView } from '#desktop/engine/api/station-records.ts';
import type { GuideHistoryView } from '#desktop/engine/api/guide-history.ts';
import type { OrderRevisionView } from '#desktop/engine/areas/order-revisions.ts';
import type { GuideConflicts } from '#desktop/engine/api/conflict-records.ts';
import type {
  CategoryNode,
  GuideSummaryCard,
  PlayableGuide,
  WorkOrder,
} from '#desktop/engine/api/records.ts';
import type {
  ActivityItem,
  KeptRecord,
  Session,
  StorageState,
  SyncState,
} from '#desktop/engine/api/sync-records.ts';
import type { ArchiveCard, ImportCard, ServerArchive } from '#desktop/engine/api/archive-records.ts';
import type { PersonProfile, TeamProfile, WikiPage } from '#desktop/engine/api/page-records.ts';
import type { TracedOrder } from '#desktop/engine/api/tracing.ts';
import type { ProblemCode } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';

import { demoOffline, type OfflineWorld } from './fixture-offline.ts';
import { demoArchives, demoComingArchives, demoServerArchives } from './fixture-archive-cards.ts';
import { busyActivity, busyConflicts, manyConflicts } from './fixture-activity.ts';
import type { FixtureDraft } from './fixture-drafts.ts';
import { demoFeedback } from './fixture-feedback.ts';
import { demoDeviations } from './fixture-deviations.ts';
import { demoHistory } from './fixture-history.ts';
import { demoPlanned } from './fixture-planned.ts';
import { demoShifts } from './fixture-shifts.ts';
import { demoStation } from './fixture-station.ts';
import { demoGuides } from './fixture-guide.ts';
import { demoPages, demoPeople, demoTeams } from './fixture-pages.ts';
import { demoApprovals, type ApprovalWorld } from './fixture-approvals.ts';
import { demoTraced } from './fixture-tracing.ts';
import { demoTraining, type TrainingWorld } from './demo-training.ts';
import { minute, otherOrders, runningOrder } from './demo-orders.ts';

/** Options that a test chooses before the page opens. */
export interface WorldOptions {
  /** Another person set the person's password. */
  mustSetPassword?: boolean;
  /** An administrator acts as the person. */
  acting?: boolean;
  /** The account is a kiosk. */
  kiosk?: boolean;
  /** This device is a station: locked, or Ana Ruiz is signed in. */
  station?: 'locked' | 'signed-in';
  signedOut?: boolean;
  expired?: boolean;
  /** The server has no administrator yet. */
  emptyServer?: boolean;
  servers?: string[];
  /** Size of the library, including the two demo guides. */
  guides?: number;
  /** No guides, no work orders, nothing synced. */
  empty?: boolean;
  /** A running work order on the bench grinder. */
  running?: boolean;
  /** The loss of data that the device noticed at its start. */
  loss?: Session['loss'];
  /** Work of other people that waits on this device. */
  elsewhere?: Session['elsewhere'];
  /** Work waits here for a server at the address of the sign-in, which cannot prove that it is that server. */
  unproved?: boolean;
  damage?: Session['damage'];
  /** Signing in is refused with this message. */
  refuseSignIn?: string;
  /** The code of that refusal. */
  refuseSignInCode?: ProblemCode;
  /** The name of every server's identity provider. */
  provider?: string;
  /** Activity in every state, and conflicts. */
  busy?: boolean;
  manyConflicts?: boolean;
  editors?: string[];
  /** Quarantined text of guides that can no longer be seen. */
  kept?: KeptRecord[];
  /** A guide waits for the person's signature. */
  approvals?: boolean;
  /** There is feedback on guides that the person may edit. */
  feedback?: boolean;
  /** The person decides about deviations, and plans orders. */
  lead?: boolean;
  /** Orders are planned. */
  planned?: boolean;
  /** The person administers the site. */
  administrator?: boolean;
}

/** The state that the fixture engine shows. Tests change it through the page. */
export interface World {
  session: Session;
  station: StationView | null;
  sync: SyncState;
  guides: PlayableGuide[];
  cards: GuideSummaryCard[];
  /** Names of categories that differ from their titles. */
  categoryNames: Record<string, string>;
  /** Guides that were opened last, the latest first. */
  recent: string[];
  orders: WorkOrder[];
  deviations: DeviationView[];
  planned: PlannedOrderView[];
  /** Orders by number: on the server, which sends them in pages, and on this device. */
  traced: { server: TracedOrder[]; here: TracedOrder[]; pageSize: number; isRefused: boolean };
  shifts: ShiftSummaryView[];
  isLead: boolean;
  /** The record of one order. */
  orderRecord: OrderRecordView | null;
  /** What the person is named to confirm. */
  toConfirm: WaitingConfirmation[];
  /** The order whose guide has another revision. */
  orderRevision: { entryid: string; view: OrderRevisionView } | null;
  activity: ActivityItem[];
  kept: KeptRecord[];
  conflicts: GuideConflicts[];
  history: GuideHistoryView | null;
  /** Another person has saved the guide, which this device does not know yet. */
  isSavedElsewhere: boolean;
  editors: string[];
  /** Decided, and not yet on the server. */
  decided: GuideConflicts[];
  storage: StorageState;
  offline: OfflineWorld;
  /** Address of the copy of a video on this device. */
  video: string | null;
  drafts: FixtureDraft[];
  /** Saved forms of steps, by the key of the step. */
  forms: Record<string, DesignedForm>;
  pages: WikiPage[];
  people: PersonProfile[];
  teams: TeamProfile[];
  archives: ArchiveCard[];
  serverArchives: ServerArchive[] | null;
  comingArchives: ComingArchive[];
  archiveImports: ImportCard[] | null;
  archiveNews: ArchiveNews;
  training: TrainingWorld;
  approvals: ApprovalWorld;
  feedback: FeedbackTask[];
}

const titles: [string, string, string, number, number][] = [
  ['Fitting the main cylinder', 'Farm machines', 'Difficult', 7200, 6],
  ['Wheel dressing', 'Bench Grinder', 'Very easy', 900, 5],
  ['Frame assembly', 'Farm machines', 'Moderate', 10_800, 18],
  ['Hydraulic hose routing', 'Power units', 'Difficult', 5400, 12],
  ['Magnetic switch test', 'Bench Grinder', 'Easy', 1200, 7],
  ['Bearing press-fit', 'Lathe', 'Very difficult', 3600, 9],
  ['Soil pulverizer blades', 'Farm machines', 'Moderate', 7200, 14],
  ['Drill chuck replacement', 'Drill press', 'Easy', 1500, 8],
  ['Tool post alignment', 'Lathe', 'Moderate', 2400, 11],
  ['Filter change', 'Power units', 'Very easy', 600, 4],
];

function cardOf(guide: PlayableGuide): GuideSummaryCard {
  return {
    ...guide,
    timeRequired: guide.guideid === '9001' ? 2400 : 900,
    steps: guide.steps.length,
    pending: false,
    snippet: null,
  };
}

function otherCard(index: number): GuideSummaryCard {
  const [title, category, difficulty, timeRequired, steps] = must(titles[index % titles.length], 'a title');
  const round = Math.floor(index / titles.length);
  return {
    guideid: String(100 + index),
    title: round === 0 ? title : `${title} ${round + 1}`,
    category,
    type: 'repair',
    summary: '',
    difficulty,
    timeRequired,
    steps,
    imageGuid: `BeltStep${String((index % 9) + 1).padStart(2, '0')}Image2`,
    public: index !== 4,
    favorite: index === 1,
    pending: index === 7,
    readiness: index === 2 ? { state: 'missing', bytes: 4_100_000 } : { state: 'ready' },
    snippet: null,
  };
}

function withComments(guide: PlayableGuide): PlayableGuide {
  if (guide.guideid !== '9001') return guide;
  const now = Date.now();
  const comment = {
    edited: false,
    editable: false,
    pending: false,
    feedback: null,
    replies: [],
    mine: false,
  };
  return {
    ...guide,
    steps: guide.steps.map((step) =>
      step.stepid === '90004'
        ? {
            ...step,
            comments: [
              {
                ...comment,
                commentid: '7001',
                author: 'Ben Okafor',
                html: '<p>On the older model the lower screw is a T25.</p>',
                text: 'On the older model the lower screw is a T25.',
                at: now - 50 * 60 * minute,
                replies: [
                  {
                    ...comment,
                    commentid: '7002',
                    author: 'Ana Ruiz',
                    mine: true,
                    editable: true,
                    pending: true,
                    html: '<p>Seen today too. I will add it to the tools.</p>',
                    text: 'Seen today too. I will add it to the tools.',
                    at: now - 2 * minute,
                  },
                ],
              },
            ],
          }
        : step,
    ),
  };
}

function nothing(): Pick<World, 'guides' | 'cards' | 'orders'> {
  return { guides: [], cards: [], orders: [] };
}

function everything(options: WorldOptions): Pick<World, 'guides' | 'cards' | 'orders'> {
  const guides = demoGuides().map(withComments);
  const others = Array.from({ length: (options.guides ?? 12) - guides.length }, (_, index) =>
    otherCard(index),
  );
  const cards = [...guides.map(cardOf), ...others];
  return { guides, cards, orders: [...(options.running ? [runningOrder()] : []), ...otherOrders()] };
}

export function makeWorld(options: WorldOptions): World {
  const privileges = [
    'User',
    'Author',
    ...(options.administrator === true ? ['Admin'] : []),
    ...(options.kiosk === true || options.station !== undefined ? ['Kiosk'] : []),
  ];
  const acting = options.acting === true ? { impersonator: { userid: 9102, username: 'Mira Haddad' } } : {};
  const user = { userid: 9101, username: 'Ana Ruiz', privileges, ...acting };
  return {
    session: {
      server: options.signedOut ? null : 'https://guides.example.org',
      servers: options.servers ?? [],
      user: options.signedOut ? null : user,
      home: options.signedOut ? null : 'home-of-ana',
      homes: ['home-of-ana'],
      status: options.signedOut ? 'signed-out' : options.expired ? 'expired' : 'signed-in',
      loss: options.loss ?? null,
      elsewhere: options.elsewhere ?? [],
      damage: options.damage ?? null,
    },
    station:
      options.station === undefined ? null : demoStation(options.station === 'locked' ? null : 'Ana Ruiz'),
    sync: {
      connection: 'online',
      phase: 'idle',
      progress: null,
      lastSyncedAt: options.empty ? null : Date.now() - 2 * minute - 5000,
      pending: options.busy ? 3 : 0,
      parked: options.busy ? 3 : 0,
      conflicts: options.manyConflicts ? 17 : options.busy ? 3 : 0,
      needsSignIn: options.expired ?? false,
      interference: null,
      tooOld: null,
      waitUntil: null,
      trouble: null,
      troubleDetail: null,
    },
    ...(options.empty ? nothing() : everything(options)),
    categoryNames: {},
    recent: options.empty === true ? [] : ['9001', '104', '106'],
    activity: options.busy ? busyActivity() : [],
    kept: options.kept ?? [],
    conflicts: options.manyConflicts ? [manyConflicts()] : options.busy ? busyConflicts() : [],
    history: options.empty ? null : demoHistory(),
    isSavedElsewhere: false,
    editors: options.editors ?? [],
    decided: [],
    drafts: [],
    forms: {},
    pages: options.empty === true ? [] : demoPages(),
    people: demoPeople(),
    teams: demoTeams(),
    archives: options.empty === true ? [] : demoArchives(),
    archiveImports: options.signedOut ? null : [],
    archiveNews: { outdated: 0, left: [] },
    serverArchives: options.signedOut || options.empty ? null : demoServerArchives(),
    comingArchives: options.signedOut || options.empty ? [] : demoComingArchives(),
    storage: {
      journal: 'private-file-system',
      insecure: false,
      readsWait: false,
      mediaBytes: 1_200_000_000,
      pictures: { have: 118, of: 121 },
    },
    offline: demoOffline(),
    video: null,
    orderRevision: null,
    orderRecord: null,
    toConfirm: [],
    deviations: options.empty === true ? [] : demoDeviations({ isLead: options.lead === true }),
    planned: options.planned === true ? demoPlanned({ isLead: options.lead === true }) : [],
    traced: {
      server: demoTraced().toReversed(),
      here: demoTraced().slice(1),
      pageSize: 50,
      isRefused: false,
    },
    shifts: options.empty === true ? [] : demoShifts(),
    isLead: options.lead === true,
    training: demoTraining(),
    feedback: options.feedback === true ? demoFeedback() : [],
    approvals: options.approvals === true ? demoApprovals() : { cards: [], guides: [] },
  };
}

const parents: Record<string, string> = {
  'Bench Grinder': 'Workshop',
  'Drill press': 'Workshop',
  Lathe: 'Workshop',
};

/** The category tree of the cards. */
export function treeOf({ cards, categoryNames }: Pick<World, 'cards' | 'categoryNames'>): CategoryNode[] {
  const leaves = [...new Set(cards.map((card) => card.category))].toSorted();
  const leaf = (title: string): CategoryNode => ({
    title,
    displayTitle: categoryNames[title] ?? title,
    guides: cards.filter((card) => card.category === title).length,
    children: [],
  });
  const roots = [...new Set(leaves.map((title) => parents[title] ?? title))].toSorted();
  return roots.map((title) => {
    const children = leaves.filter((name) => parents[name] === title).map(leaf);
    const own = leaf(title);
    return { ...own, guides: own.guides + children.reduce((sum, child) => sum + child.guides, 0), children };
  });
}

/** Whether a card is in a category or one of its subcategories. */
export function isIn(card: GuideSummaryCard, category: string): boolean {
  return card.category === category || parents[card.category] === category;
}
