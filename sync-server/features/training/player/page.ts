import { safe } from '#shared/html.ts';
import type { Texts } from '#server/text/texts.ts';

import { playSequenced, type EngineClass, type PlayerWords, type Sequencing } from './page-sequencing.ts';

/** The data of a module before one of its parts is started. */
interface Launch {
  title: string;
  preview: boolean;
  activities: { id: string; title: string; status: keyof PlayerWords['states'] }[];
  /** Null if parts may be opened in any order. */
  sequencing: Sequencing | null;
}

/** The data to start a part. */
interface Started {
  url: string;
  api: 'scorm12' | 'scorm2004' | null;
  data: Record<string, string>;
}

/** The part of the libraries of both APIs that the page uses. */
interface ScormApi {
  /** '0' if the last call succeeded. */
  lastErrorCode: string;
  loadFromFlattenedJSON(data: Record<string, string>): void;
  on(event: string, listener: () => void): void;
}
type ScormClass = new (settings: Record<string, unknown>) => ScormApi;

/**
 * The script of the player page. It runs in the browser: its source text is sent as it is, so it must not refer to
 * anything outside of itself.
 */
export function runPlayer(sequenced: typeof playSequenced): void {
  const list = document.querySelector('#parts') as HTMLElement;
  const status = document.querySelector('#status') as HTMLElement;
  const stage = document.querySelector('#stage') as HTMLElement;
  const meta = document.querySelector('meta[name=words]') as HTMLMetaElement;
  const words = JSON.parse(meta.content) as PlayerWords;

  async function json<T>(path: string, method = 'GET'): Promise<T> {
    const response = await fetch(path, { method });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return (await response.json()) as T;
  }

  function say(text: string): void {
    status.textContent = text;
  }

  function settingsOf(index: number): Record<string, unknown> {
    return {
      lmsCommitUrl: `activities/${index}/data`,
      dataCommitFormat: 'flattened',
      autocommit: true,
      autocommitSeconds: 5,
      alwaysSendTotalTime: true,
      logLevel: 'NONE',
      // A module with a mastery score may set its own status too; the server evaluates both.
      mastery_override: false,
    };
  }

  function provideApi(kind: 'scorm12' | 'scorm2004', index: number, data: Record<string, string>): void {
    const name = kind === 'scorm12' ? 'API' : 'API_1484_11';
    const Library = Reflect.get(window, kind === 'scorm12' ? 'Scorm12API' : 'Scorm2004API') as ScormClass;
    const api = new Library(settingsOf(index));
    api.loadFromFlattenedJSON(data);
    const told = (success: string): void => say(api.lastErrorCode === '0' ? success : words.notSaved);
    api.on(kind === 'scorm12' ? 'LMSCommit' : 'Commit', () => told(words.saved));
    api.on(kind === 'scorm12' ? 'LMSFinish' : 'Terminate', () => {
      told(words.savedAll);
      void showParts();
    });
    Reflect.set(window, name, api);
  }

  async function start(index: number): Promise<void> {
    say(words.opening);
    const started = await json<Started>(`activities/${index}/launch`, 'POST');
    // The previous part unloads with its own API before the next one gets another.
    stage.replaceChildren();
    Reflect.deleteProperty(window, 'API');
    Reflect.deleteProperty(window, 'API_1484_11');
    if (started.api !== null) provideApi(started.api, index, started.data);
    showFrame(started.url, index);
  }

  function showFrame(url: string, index: number): void {
    const frame = document.createElement('iframe');
    frame.title = document.title;
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
    frame.allow = 'autoplay';
    frame.src = url;
    frame.addEventListener('load', () => say(''));
    stage.append(frame);
    for (const [at, button] of [...list.querySelectorAll('button')].entries())
      button.setAttribute('aria-current', String(at === index));
  }

  async function showParts(): Promise<Launch> {
    const launch = await json<Launch>('launch.json');
    document.title = launch.title;
    (document.querySelector('h1') as HTMLElement).textContent = launch.title;
    (document.querySelector('#preview') as HTMLElement).hidden = !launch.preview;
    list.hidden = launch.activities.length < 2;
    const current = [...list.querySelectorAll('button')].findIndex(
      (button) => button.getAttribute('aria-current') === 'true',
    );
    list.replaceChildren(
      ...launch.activities.map((activity, index) => {
        const button = document.createElement('button');
        button.textContent =
          launch.sequencing === null
            ? `${activity.title} (${words.states[activity.status]})`
            : activity.title;
        button.setAttribute('aria-current', String(index === current));
        if (launch.sequencing === null) button.addEventListener('click', () => void open(index));
        const item = document.createElement('li');
        item.append(button);
        return item;
      }),
    );
    return launch;
  }

  async function open(index: number): Promise<void> {
    try {
      await start(index);
    } catch {
      say(words.notOpened);
    }
  }

  /** Opens a module with sequencing, which has one engine for all its parts. */
  function openSequenced(launch: Launch, sequencing: Sequencing): void {
    const buttons = document.querySelector('#order') as HTMLElement;
    const [previous, next, again] = [...buttons.querySelectorAll('button')];
    const player = sequenced({
      parts: launch.activities,
      sequencing,
      settingsOf,
      say,
      words,
      engine: (settings) => {
        const Library = Reflect.get(window, 'Scorm2004API') as EngineClass;
        const engine = new Library({ ...settingsOf(0), ...settings });
        Reflect.set(window, 'API_1484_11', engine);
        return engine;
      },
      close: () => stage.replaceChildren(),
      open: async (index, isNew, prepare) => {
        say(words.opening);
        stage.replaceChildren();
        const started = await json<Started>(
          `activities/${index}/launch${isNew ? '?attempt=new' : ''}`,
          'POST',
        );
        prepare(started.data);
        showFrame(started.url, index);
      },
      show: ({ current, canContinue, canPrevious, canChoose, isHidden, isOver }) => {
        buttons.hidden = false;
        if (previous) previous.disabled = !canPrevious;
        if (next) next.disabled = !canContinue;
        if (again) again.hidden = !isOver;
        for (const [index, button] of [...list.querySelectorAll('button')].entries()) {
          const id = launch.activities[index]?.id ?? '';
          button.disabled = !canChoose(id);
          if (button.parentElement) button.parentElement.hidden = isHidden(id);
          button.setAttribute('aria-current', String(id === current));
        }
      },
    });
    for (const [index, button] of [...list.querySelectorAll('button')].entries())
      button.addEventListener('click', () => player.choose(launch.activities[index]?.id ?? ''));
    previous?.addEventListener('click', player.previous);
    next?.addEventListener('click', player.next);
    again?.addEventListener('click', player.restart);
    player.begin();
  }

  // The policy of the page enforces this too.
  if (window.parent === window) return say(words.elsewhere);
  void showParts().then(
    (launch) => {
      if (launch.sequencing !== null) return openSequenced(launch, launch.sequencing);
      const next = launch.activities.findIndex(({ status: one }) => one !== 'completed');
      return open(Math.max(0, next));
    },
    () => say(words.notOpened),
  );
}

/** The page around a module. */
export function playerPage({ locale, pages: { player } }: Texts): string {
  return safe`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${player.title}</title>
<meta name="words" content="${JSON.stringify(player)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/player/player.css">
<script src="/player/scorm12.js" defer></script>
<script src="/player/scorm2004.js" defer></script>
<script src="/player/player.js" defer></script>
</head>
<body>
<header>
<h1>${player.title}</h1>
<span id="preview" hidden>${player.preview}</span>
<span id="status" role="status"></span>
</header>
<div id="order" role="group" aria-label="${player.order}" hidden>
<button type="button">${player.back}</button>
<button type="button">${player.continue}</button>
<button type="button" hidden>${player.again}</button>
</div>
<ol id="parts" aria-label="${player.parts}" hidden></ol>
<main id="stage"></main>
</body>
</html>
`.text;
}

export const playerStyle = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { margin: 0; display: flex; flex-direction: column; height: 100vh; }
header { display: flex; gap: 1rem; align-items: baseline; padding: 0.5rem 1rem; }
h1 { font-size: 1rem; margin: 0; }
#status { margin-inline-start: auto; }
#parts { display: flex; flex-wrap: wrap; gap: 0.5rem; list-style: none; margin: 0; padding: 0 1rem 0.5rem; }
[hidden] { display: none !important; }
#order { display: flex; gap: 0.5rem; padding: 0 1rem 0.5rem; }
#parts button, #order button { min-height: 2.75rem; font: inherit; }
#parts button[aria-current='true'] { font-weight: 600; }
main { flex: 1; min-height: 0; }
iframe { width: 100%; height: 100%; border: 0; background: white; }
`;

/** The script of the page as text. */
export const playerScript = `(${runPlayer.toString()})(${playSequenced.toString()});`;
