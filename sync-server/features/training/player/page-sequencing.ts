import type { Texts } from '#server/text/texts.ts';

/** The words of the page. */
export type PlayerWords = Texts['pages']['player'];

/** A part in the list of the page. */
interface Part {
  id: string;
  title: string;
}

/** The sequencing data from the server. */
export interface Sequencing {
  tree: { id: string; isVisible: boolean; children: Sequencing['tree'][] };
  state: { engine: string; current: string | null } | null;
}

/** The part of the library that sequencing uses. */
interface Engine {
  lastErrorCode: string;
  loadFromFlattenedJSON: (data: Record<string, string>) => void;
  reset: (settings: Record<string, unknown>) => void;
  on: (event: string, listener: () => void) => void;
  SetValue: (name: string, value: string) => string;
  Terminate: (parameter: string) => string;
  processNavigationRequest: (request: string, target?: string) => boolean;
  serializeSequencingState: () => string;
  deserializeSequencingState: (state: string) => boolean;
  resetSequencingState: () => void;
  getActivityTrackingData: (
    id: string,
  ) => { completionStatus: string; successStatus: string; score: number | null } | null;
}

export type EngineClass = new (settings: Record<string, unknown>) => Engine;

/** The navigation requests that are possible now. */
interface Validity {
  continue: boolean;
  previous: boolean;
  choice: Record<string, string>;
  hideLmsUi: string[];
}

/** The functions and data of the surrounding page. */
export interface SequencingHost {
  parts: readonly Part[];
  sequencing: Sequencing;
  /** Creates an engine with the page's settings and these. */
  engine: (settings: Record<string, unknown>) => Engine;
  settingsOf: (index: number) => Record<string, unknown>;
  say: (text: string) => void;
  words: PlayerWords;
  /** Removes the open part from the page; it may still call its API while it unloads. */
  close: () => void;
  /** Requests the start of a part from the server and shows it. `prepare` receives its initial data before. */
  open: (index: number, isNew: boolean, prepare: (data: Record<string, string>) => void) => Promise<void>;
  /** Updates the buttons and the list of parts. */
  show: (state: {
    current: string | null;
    canContinue: boolean;
    canPrevious: boolean;
    canChoose: (id: string) => boolean;
    isHidden: (id: string) => boolean;
    isOver: boolean;
  }) => void;
}

/**
 * Plays a module in the order of its sequencing. It runs in the browser: its source text is sent as it is, so it must
 * not refer to anything outside of itself.
 */
export function playSequenced(host: SequencingHost) {
  const { sequencing, parts, words } = host;
  const root = sequencing.tree.id;
  const hidden = new Set<string>();
  const look = (node: Sequencing['tree']): void => {
    if (!node.isVisible) hidden.add(node.id);
    for (const child of node.children) look(child);
  };
  look(sequencing.tree);
  let current = sequencing.state?.current ?? null;
  let isRunning = false;
  let isOver = false;
  let isLeaving = false;
  let isSending = false;
  let unsent: string | null = null;
  let validity: Validity = { continue: false, previous: false, choice: {}, hideLmsUi: [] };

  const engine = host.engine({
    sequencing: {
      activityTree: sequencing.tree,
      eventListeners: {
        onActivityDelivery: ({ id }: { id: string }) => {
          current = id;
          isOver = false;
          // Later, because the engine is still busy and the previous part may still call it.
          setTimeout(() => void deliver(id, true), 0);
        },
        onSequencingSessionEnd: () => {
          current = null;
          isOver = true;
          setTimeout(() => {
            host.close();
            host.say(words.ended);
            settle();
          }, 0);
        },
        onSequencingError: () => host.say(words.impossible),
        onNavigationValidityUpdate: (data: Validity) => {
          validity = data;
          show();
        },
      },
    },
  });

  function show(): void {
    const isOffered = (name: string, isValid: boolean): boolean =>
      isValid && current !== null && !validity.hideLmsUi.includes(name);
    host.show({
      current,
      isOver,
      canContinue: isOffered('continue', validity.continue),
      canPrevious: isOffered('previous', validity.previous),
      isHidden: (id) => hidden.has(id),
      canChoose: (id) => validity.choice[id] === 'true' || id === current,
    });
  }

  function report(): string {
    const tracked = engine.getActivityTrackingData(root);
    return JSON.stringify({
      engine: engine.serializeSequencingState(),
      current,
      root: {
        completion: tracked?.completionStatus ?? 'unknown',
        success: tracked?.successStatus ?? 'unknown',
        score: tracked?.score ?? null,
      },
    });
  }

  /** Sends the learner's position and the rollup to the server; the last report counts. */
  function settle(): void {
    unsent = report();
    show();
    if (isLeaving) void put();
    else if (!isSending) void send();
  }

  async function send(): Promise<void> {
    isSending = true;
    while (unsent !== null) await put();
    isSending = false;
  }

  async function put(): Promise<void> {
    const body = unsent ?? report();
    unsent = null;
    try {
      // While a page is being left, browsers send only small bodies, and refuse larger ones.
      const keepalive = isLeaving && body.length < 60_000;
      const response = await fetch('sequencing', { method: 'PUT', body, keepalive });
      if (!response.ok) host.say(words.refused);
    } catch {
      host.say(words.unreachable);
    }
  }

  // The open part may unload before or after this event. Its data is sent in both cases, and a pending request is
  // repeated.
  window.addEventListener('pagehide', () => {
    isLeaving = true;
    if (isSending) void put();
  });

  async function deliver(id: string, isNew: boolean): Promise<void> {
    const index = parts.findIndex((part) => part.id === id);
    if (index < 0 || id !== current) return;
    isRunning = false;
    await host.open(index, isNew, (data) => {
      engine.reset(host.settingsOf(index));
      listen();
      engine.loadFromFlattenedJSON(data);
    });
    settle();
  }

  /** Handles a navigation request from the page's buttons. The engine processes it when the open part unloads. */
  function go(request: string, target?: string): void {
    if (!isRunning) {
      host.close();
      if (!engine.processNavigationRequest(request, target)) host.say(words.impossible);
      return;
    }
    engine.SetValue('adl.nav.request', target === undefined ? request : `{target=${target}}${request}`);
    host.close();
    if (isRunning) engine.Terminate('');
  }

  /** Registers the listeners again, because each part begins with a reset of the engine that removes them. */
  function listen(): void {
    engine.on('Initialize', () => {
      isRunning = true;
    });
    engine.on('Commit', () => {
      host.say(engine.lastErrorCode === '0' ? words.saved : words.notSaved);
      settle();
    });
    engine.on('Terminate', () => {
      isRunning = false;
      settle();
    });
  }

  function begin(): void {
    if (sequencing.state !== null) engine.deserializeSequencingState(sequencing.state.engine);
    // A part that was open when the page was left is still the current one for the engine.
    if (current !== null) return void deliver(current, false);
    if (sequencing.state !== null) {
      isOver = true;
      host.say(words.ended);
      return show();
    }
    restart();
  }

  /** Starts the module from the beginning. */
  function restart(): void {
    engine.resetSequencingState();
    if (!engine.processNavigationRequest('start')) host.say(words.choose);
    show();
  }

  return {
    begin,
    restart,
    next: () => go('continue'),
    previous: () => go('previous'),
    choose: (id: string) => {
      if (id !== current) go('choice', id);
    },
  };
}
