import type { Flip } from '../support/flip.ts';
import type { ProbeName } from './probes.ts';

const main = (from: string, to: string): Flip => ({ file: 'main/main.cjs', from, to });

/** The policy alone lets frames show any page. */
const anyFrame = main('`frame-src ${playerOrigins.join(" ")}`', '"frame-src *"');
const unguardedFrames = main('if (!isAppUrl(event.url) && !isPlayer) event.preventDefault();', '');

/** What must be changed in the built app so that a probe gets through. */
export const settings: Record<ProbeName, Flip[]> = {
  insecureOrigin: [main('secure: true', 'secure: false')],
  nodeInPage: [main('nodeIntegration: false', 'nodeIntegration: true')],
  nodeInWorker: [main('nodeIntegrationInWorker: false', 'nodeIntegrationInWorker: true')],
  bridgeInFrame: [main('nodeIntegrationInSubFrames: false', 'nodeIntegrationInSubFrames: true')],
  callFromFrame: [
    main('senderFrame === null || senderFrame.parent !== null || !isAppUrl(senderFrame.url)', 'false'),
  ],
  isolation: [
    main('contextIsolation: true', 'contextIsolation: false'),
    {
      file: 'preload/preload.cjs',
      from: 'contextBridge.exposeInMainWorld("benchbook", ',
      to: 'globalThis.benchbook = (',
    },
  ],
  unconfinedRenderer: [
    main('electron.app.enableSandbox();', ''),
    main('\t\t\tsandbox: true', '\t\t\tsandbox: false'),
  ],
  crossOrigin: [main('webSecurity: true', 'webSecurity: false')],
  foreignCode: [
    main('"script-src \'self\'"', "\"script-src * 'unsafe-inline' 'unsafe-eval'\""),
    main('"require-trusted-types-for \'script\'"', '""'),
  ],
  insecureContent: [main('allowRunningInsecureContent: false', 'allowRunningInsecureContent: true')],
  experiments: [main('experimentalFeatures: false', 'experimentalFeatures: true')],
  blinkFeatures: [main('experimentalFeatures: false', "enableBlinkFeatures: 'AudioVideoTracks'")],
  permissions: [
    main('GRANTED.has(permission) && requestingUrl !== void 0 && isAppUrl(requestingUrl)', 'true'),
    main('GRANTED.has(permission) && isAppUrl(origin)', 'true'),
  ],
  webviewTag: [main('webviewTag: false', 'webviewTag: true')],
  download: [main('session.on("will-download", (event) => event.preventDefault());', '')],
  webview: [main('contents.on("will-attach-webview", (event) => event.preventDefault());', '')],
  secondWindow: [main('{ action: "deny" }', '{ action: "allow" }')],
  oddAddress: [main('parsed === null || !EXTERNAL.has(parsed.protocol)', 'parsed === null')],
  bridgeObject: [{ file: 'preload/preload.cjs', from: '{ call:', to: '{ ipcRenderer, call:' }],
  fileAddress: [
    main(
      '.loadURL(last?.address ?? "benchbook://app/")',
      ".loadURL(require('node:url').pathToFileURL(require('node:path').join(__dirname, '../renderer/index.html')).href)",
    ),
  ],
  foreignFrame: [anyFrame, unguardedFrames],
  navigation: [
    main('if (isAppUrl(event.url)) return;\n\t\tevent.preventDefault();', 'return;'),
    unguardedFrames,
  ],
};

/** A build of the app with flipped settings. */
export interface BrokenBuild {
  /** Each of these gets through because of its own setting. The others still reach nothing. */
  flipped: ProbeName[];
  /** What else gets through: the flipped settings include it. */
  also?: ProbeName[];
  /** Further changes, which alone let nothing through. */
  changes?: Flip[];
}

/** Builds in which each setting is flipped at least once, and no setting hides another. */
export const brokenBuilds: BrokenBuild[] = [
  // Node in the page also needs its own setting.
  { flipped: ['unconfinedRenderer', 'isolation'], changes: [anyFrame] },
  { flipped: ['unconfinedRenderer', 'isolation', 'nodeInPage', 'nodeInWorker'] },
  // Frames with a bridge get no answer, and webviews no page.
  {
    flipped: ['bridgeInFrame', 'webviewTag', 'crossOrigin', 'experiments'],
    also: ['blinkFeatures'],
  },
  {
    flipped: [
      'bridgeInFrame',
      'callFromFrame',
      'webviewTag',
      'webview',
      'blinkFeatures',
      'permissions',
      'insecureContent',
    ],
  },
  {
    flipped: [
      'insecureOrigin',
      'foreignCode',
      'secondWindow',
      'oddAddress',
      'bridgeObject',
      'download',
      'foreignFrame',
      'navigation',
    ],
  },
  // Pages from files have no policy, and reach every origin.
  { flipped: ['fileAddress'], also: ['foreignCode', 'crossOrigin'] },
];
