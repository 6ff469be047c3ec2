import type { Flip } from '../support/flip.ts';
import type { ProbeName } from './probes.ts';

const main = (from: string, to: string): Flip => ({ file: 'main/main.cjs', from, to });

// Settings of which two stop the same attack.
const noSandboxOfProgram = main('electron.app.enableSandbox();', '');
const noSandboxOfWindow = main('\t\t\tsandbox: true', '\t\t\tsandbox: false');
const anyScript = main('"script-src \'self\'"', "\"script-src * 'unsafe-inline' 'unsafe-eval'\"");
const untrustedTypes = main('"require-trusted-types-for \'script\'"', '""');
const anyFrame = main('`frame-src ${playerOrigins.join(" ")}`', '"frame-src *"');
/** Also opens the window, whose page is a frame, and redirects. */
const unguardedFrames = main('if (!isAppUrl(event.url) && !isPlayer) event.preventDefault();', '');
const unguardedRedirects = main('["will-frame-navigate", "will-redirect"]', '["will-frame-navigate"]');
const unguardedWindow = main('if (isAppUrl(event.url)) return;\n\t\tevent.preventDefault();', 'return;');
const anyWindow = main('{ action: "deny" }', '{ action: "allow" }');
/** What is dropped opens in a window of its own. */
const dropsOpen = main('navigateOnDragDrop: false', 'navigateOnDragDrop: true');
// These two stand for different permissions.
const anyRequest = main(
  '(GRANTED.has(permission) || isCamera(permission, mediaTypes)) && requestingUrl !== void 0 && isAppUrl(requestingUrl)',
  'true',
);
const anyCheck = main('(GRANTED.has(permission) || isCamera(permission, kinds)) && isAppUrl(origin)', 'true');

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
  unconfinedRenderer: [noSandboxOfProgram, noSandboxOfWindow],
  crossOrigin: [main('webSecurity: true', 'webSecurity: false')],
  foreignCode: [anyScript, untrustedTypes],
  insecureContent: [main('allowRunningInsecureContent: false', 'allowRunningInsecureContent: true')],
  experiments: [main('experimentalFeatures: false', 'experimentalFeatures: true')],
  blinkFeatures: [main('experimentalFeatures: false', "enableBlinkFeatures: 'AudioVideoTracks'")],
  permissions: [anyRequest, anyCheck],
  webviewTag: [main('webviewTag: false', 'webviewTag: true')],
  download: [main('session.on("will-download", (event) => event.preventDefault());', '')],
  webview: [main('contents.on("will-attach-webview", (event) => event.preventDefault());', '')],
  secondWindow: [anyWindow],
  oddAddress: [main('parsed === null || !EXTERNAL.has(parsed.protocol)', 'parsed === null')],
  bridgeObject: [{ file: 'preload/preload.cjs', from: '{ call:', to: '{ ipcRenderer, call:' }],
  fileAddress: [
    main(
      '.loadURL(last?.address ?? "benchbook://app/")',
      ".loadURL(require('node:url').pathToFileURL(require('node:path').join(__dirname, '../renderer/index.html')).href)",
    ),
  ],
  foreignFrame: [anyFrame, unguardedFrames],
  redirectedFrame: [anyFrame, unguardedRedirects],
  dropped: [dropsOpen, anyWindow],
  navigation: [unguardedWindow, unguardedFrames],
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
  { flipped: ['unconfinedRenderer', 'isolation', 'nodeInPage', 'nodeInWorker', 'redirectedFrame'] },
  // Frames with a bridge get no answer, and webviews no page.
  {
    flipped: ['bridgeInFrame', 'webviewTag', 'crossOrigin', 'experiments', 'secondWindow', 'dropped'],
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
    also: ['redirectedFrame'],
  },
  // Pages from files have no policy, and reach every origin.
  { flipped: ['fileAddress'], also: ['foreignCode', 'crossOrigin'] },
];

/**
 * Builds in which one of two settings is flipped. The other one stops the attack. Only the permissions have no second
 * setting.
 */
export const halfBrokenBuilds: BrokenBuild[] = [
  {
    flipped: [],
    also: ['permissions'],
    changes: [noSandboxOfProgram, anyScript, anyRequest, anyFrame, unguardedWindow, dropsOpen],
  },
  {
    flipped: [],
    also: ['permissions'],
    changes: [noSandboxOfWindow, untrustedTypes, anyCheck, unguardedFrames],
  },
];
