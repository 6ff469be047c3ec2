import { randomBytes } from 'node:crypto';

import { BehaviorSubject } from 'rxjs';
import sharp from 'sharp';

import { openCore } from '#desktop/engine/open-core.ts';
import type { NewCall } from '#desktop/engine/platform/ports.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import {
  inSync,
  newDisk,
  platformOn,
  saveOf,
  signIn,
  syncState,
  whenCalls,
} from '#test/desktop/engine/support/device.ts';
import { testEnvironment, type TestEnvironment } from '#test/desktop/engine/support/environment.ts';
import { madeUpSession } from '#test/desktop/engine/support/made-up-session.ts';
import { randomOf } from '#test/simulation/random.ts';
import { VirtualTime } from '#test/simulation/virtual-time.ts';
import { pdfFile } from '#test/support/media-files.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { writeCorpus } from './corpus.ts';
import { Line, ask, rawGet } from './line.ts';

const KB = 1024;

/** A device of `person` with its own connection, signed in and in sync by default. */
async function deviceOf(server: TestServer, person: TestPerson, isFresh = false) {
  const time = new VirtualTime(Date.now(), 20);
  const line = new Line(time);
  const environment: TestEnvironment = {
    ...testEnvironment(() => Promise.reject(new TypeError('unused'))),
    now: () => time.now(),
    monotonic: () => time.monotonic(),
    setTimer: (run, ms) => time.setTimer(run, ms),
    online: new BehaviorSubject(true),
    fetch: async (input, init) => {
      const asked = new URL(input instanceof Request ? input.url : input);
      const { pathname, search } = asked;
      const session = madeUpSession(pathname, init);
      if (session !== null) return session;
      const headers = new Headers(init?.headers);
      headers.set('Authorization', `api ${person.token}`);
      const there = new URL(pathname + search, server.url);
      const method = init?.method ?? 'GET';
      // Stays open; its data is not measured.
      if (pathname === '/sync/1/events') return fetch(there, { ...init, headers });
      const body = await new Response(init?.body ?? null).blob();
      return line.carry(body, init?.signal, () => ask(there, method, headers, body));
    },
  };
  const { core, close } = await openCore(platformOn(newDisk(), environment));
  const device = { core, environment, close };
  if (!isFresh) {
    await time.during(signIn(device));
    await time.during(inSync(device));
  }
  return { time, line, device };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const MB = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;

async function saves(): Promise<void> {
  await using server = await startServer({ checked: false });
  await server.category('Bench Grinder');
  const ana = await server.person('Ana');
  const guides = [];
  for (let index = 0; index < 100; index += 1)
    guides.push(
      await ana.client.guides.create({
        body: { category: 'Bench Grinder', type: 'repair', title: `Belt ${index}` },
      }),
    );
  const { time, line, device } = await deviceOf(server, ana);
  const text = 'The belt had worn out; I turned it and ran it. '.repeat(400).slice(0, 18 * KB);
  line.become({ bytesPerSecond: 16 * KB, roundTripMs: 2000 });
  const began = time.now();
  await device.core.outbox.add(
    guides.map(({ guideid, revisionid }) =>
      saveOf(String(guideid), { introduction: text }, String(revisionid), revisionid),
    ),
  );
  await time.during(
    whenCalls(device, (calls) => calls.every(({ state }) => state !== 'queued' && state !== 'sending')),
  );
  const { conflicts, parked } = await time.during(syncState(device, ({ pending }) => pending === 0));
  if (conflicts + parked > 0) throw new Error(`${conflicts} conflicts and ${parked} refusals`);
  const own = 100 * 18 * KB;
  const seconds = (time.now() - began) / 1000;
  say(
    `100 saves of 18 KB at 16 KB/s, 2 s round trip: ${seconds.toFixed(0)} s (${(seconds / (own / (16 * KB))).toFixed(2)} x what the line takes), ${MB(line.up)} sent (${(line.up / own).toFixed(2)} x), ${MB(line.down)} of answers`,
  );
  await device.close();
}

async function load(): Promise<void> {
  await using server = await startServer({ checked: false });
  const ana = await server.person('Ana');
  await writeCorpus(server, 2000, ana.userid);
  const headers = { Authorization: `api ${ana.token}` };
  const path = `/sync/1/bootstrap?protocol=${unannouncedProtocol}`;
  const answer = await rawGet(new URL(path, server.url), new Headers(headers));
  const whole = (await answer.arrayBuffer()).byteLength;
  for (const isBroken of [false, true]) {
    const { time, line, device } = await deviceOf(server, ana, true);
    const dice = randomOf(7);
    let isDone = false;
    const breakLater = (): void => {
      if (isDone) return;
      line.cut();
      time.setTimer(breakLater, 1000 * (20 + 60 * dice()));
    };
    if (isBroken) {
      line.become({ bytesPerSecond: 64 * KB, roundTripMs: 2000 });
      time.setTimer(breakLater, 20_000);
    } else line.cutsDown = [Math.floor(0.8 * whole)];
    const began = time.now();
    await time.during(signIn(device));
    await time.during(
      syncState(
        device,
        ({ phase, connection, lastSyncedAt }) =>
          phase === 'idle' && connection === 'online' && lastSyncedAt !== null,
      ),
    );
    isDone = true;
    const seconds = (time.now() - began) / 1000;
    const ratio = `${MB(line.down)} received of ${MB(whole)} (${(line.down / whole).toFixed(2)} x)`;
    say(
      isBroken
        ? `First load of 2,000 guides at 64 KB/s, 2 s round trip, cut every 20 to 80 s: ${seconds.toFixed(0)} s (${(seconds / (whole / (64 * KB))).toFixed(2)} x what the line takes), ${ratio}, ${line.cuts} cuts`
        : `First load of 2,000 guides, cut at 80 %: ${ratio}`,
    );
    await device.close();
  }
}

/** An incompressible file with the header of its kind. */
interface Sent {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  call: Pick<NewCall, 'kind' | 'path'>;
  type: string;
  /** Fractions of the file after which the connection is cut. */
  cuts: number[];
}

async function files(): Promise<void> {
  const side = 1370;
  const noise = sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } });
  const photo: Sent = {
    name: 'photo.png',
    bytes: new Uint8Array(await noise.png().toBuffer()),
    call: { kind: 'upload-image', path: '/user/media/images' },
    type: 'image/png',
    cuts: [0.4, 0.8],
  };
  const manual: Sent = {
    name: 'manual.pdf',
    bytes: new Uint8Array(Buffer.concat([pdfFile(), randomBytes(20e6)])),
    call: { kind: 'upload-document', path: '/user/media/documents' },
    type: 'application/pdf',
    cuts: [0.1, 0.3, 0.5, 0.7, 0.9],
  };
  for (const file of [photo, manual]) {
    const whole = await seconds(file, []);
    const cut = await seconds(file, file.cuts);
    const { length } = file.bytes;
    const promised = 1.1 * length + 64 * KB * cut.cuts;
    say(
      `${file.name} of ${MB(length)} at 64 KB/s, 1 s round trip, cut ${cut.cuts} times: ${cut.seconds.toFixed(0)} s (${(cut.seconds / (length / (64 * KB))).toFixed(2)} x what the line takes, uncut ${(whole.seconds / (length / (64 * KB))).toFixed(2)} x), ${MB(cut.up)} sent (${(cut.up / length).toFixed(3)} x its bytes, ${(cut.up / promised).toFixed(2)} x what is promised, uncut ${(whole.up / length).toFixed(3)} x)`,
    );
  }
}

/** The cost until the server has a file. Data in transit at a cut does not arrive. */
async function seconds(
  { name, bytes, call, type }: Sent,
  cuts: readonly number[],
): Promise<{ seconds: number; up: number; cuts: number }> {
  await using server = await startServer({ checked: false });
  const ana = await server.person('Ana');
  const { time, line, device } = await deviceOf(server, ana);
  await device.core.journal.putFile('file', bytes, { type, name });
  line.become({ bytesPerSecond: 64 * KB, roundTripMs: 1000 });
  line.cutsUp = cuts.map((share) => Math.floor(share * bytes.length));
  const began = time.now();
  await device.core.outbox.add([
    {
      ...call,
      lane: 'upload/file',
      method: 'POST',
      query: { file: name },
      fileId: 'file',
      target: { collection: 'media', id: 'tmp:file' },
      subject: name,
    },
  ]);
  const left = await time.during(
    whenCalls(device, (calls) => calls.every(({ state }) => state === 'parked')),
  );
  if (left.length > 0) throw new Error(`The server refused ${name}`);
  const cost = { seconds: (time.now() - began) / 1000, up: line.up, cuts: line.cuts };
  // Work started by the arrival needs time to end.
  await time.during(device.close());
  return cost;
}

const measures = { saves, load, files };
const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(measures))
  if (wanted.length === 0 || wanted.includes(name)) await run();
process.exit(0);
