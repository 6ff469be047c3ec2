import { createHash } from 'node:crypto';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import S3rver from '@20minutes/s3rver';

import type { S3Location } from '#server/platform/s3-location.ts';

import { temporaryFolder } from './temporary-folder.ts';

/** What the proxy in front of S3 does to a request instead of passing it on, or to the body of its answer. */
export type S3Fault =
  /** Answers with an error of S3. */
  | { status: number; code: string }
  /** Never answers. */
  | { hangs: true }
  /** Ends the connection after so many bytes of the body. */
  | { resetAfter: number }
  /** Answers with a shorter, well-formed body. */
  | { shortenTo: number }
  /** Changes the first byte of the body. */
  | { corrupts: true }
  /** Stops sending after so many bytes, with the connection open. */
  | { silentAfter: number };

/** A request that reached the proxy. */
interface S3Request {
  method: string;
  /** Name of the object, without the bucket, and query. */
  path: string;
}

/** A real S3 server on this machine, with a proxy in front. */
export interface S3Server extends AsyncDisposable {
  location: S3Location;
  /** Called for each request; null: it is passed on unchanged. */
  fault: (request: S3Request) => S3Fault | null;
  requests: S3Request[];
  /** The SHA-256 that the signature of each stored body has, and that of the body as it arrived. */
  bodies: { signed: string; arrived: string }[];
  /** When uploads in parts began, UNIX ms, by their ids: the server has no calls that list or abort them. */
  uploads: Map<string, { key: string; begun: number }>;
}

type State = Pick<S3Server, 'fault' | 'requests' | 'bodies' | 'uploads'>;

const bucket = 'benchbook-files';

/** Starts a server with an empty bucket. The credentials are those of the environment until it is disposed of. */
export async function startS3(prefix = 'site/'): Promise<S3Server> {
  const folder = await temporaryFolder('s3');
  const options = {
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder.path,
    configureBuckets: [{ name: bucket, configs: [] }],
  };
  // It computes the signature of a path that ends with a slash wrongly, so calls about the bucket go to one that does not check.
  const real = new S3rver(options);
  const lenient = new S3rver({ ...options, allowMismatchedSignatures: true });
  const ports = { ofObjects: (await real.run()).port, ofBucket: (await lenient.run()).port };
  const restore = withEnvironment({
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    AWS_EC2_METADATA_DISABLED: 'true',
  });
  const state: State = {
    fault: () => null,
    requests: [],
    bodies: [],
    uploads: new Map(),
  };
  const proxy = createServer((incoming, outgoing) => meddle(state, ports, incoming, outgoing));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port: own } = proxy.address() as AddressInfo;
  return Object.assign(state, {
    location: {
      bucket,
      prefix,
      endpoint: `http://127.0.0.1:${own}`,
      region: 'us-east-1',
      pathStyle: true,
      redirects: false,
    },
    async [Symbol.asyncDispose]() {
      restore();
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      for (const one of [real, lenient]) {
        one.httpServer.closeAllConnections();
        await one.close();
      }
      await folder[Symbol.asyncDispose]();
    },
  });
}

function meddle(
  state: State,
  ports: { ofObjects: number; ofBucket: number },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { method = 'GET', url = '/', headers } = incoming;
  const [, path = ''] = /^\/[^/?]*\/?(.*)$/.exec(url) ?? [];
  const seen = { method, path: decodeURIComponent(path) };
  state.requests.push(seen);
  const fault = state.fault(seen);
  if (fault !== null && 'hangs' in fault) return void incoming.resume();
  if (fault !== null && 'status' in fault) return refuse(incoming, outgoing, fault);
  if (answerUploads(state, incoming, outgoing)) return;
  const port = seen.path === '' || seen.path.startsWith('?') ? ports.ofBucket : ports.ofObjects;
  const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    if (method === 'POST' && url.endsWith('?uploads=')) noteUpload(state, url, answer);
    if (fault === null) {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    } else void spoil(answer, outgoing, fault);
  });
  passed.on('error', () => outgoing.destroy());
  outgoing.on('close', () => passed.destroy());
  if (method === 'PUT') noteBody(state, incoming);
  incoming.pipe(passed);
}

function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, code }: { status: number; code: string },
): void {
  incoming.resume();
  incoming.on('end', () =>
    outgoing
      .writeHead(status, { 'Content-Type': 'application/xml' })
      .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`),
  );
}

async function spoil(answer: IncomingMessage, outgoing: ServerResponse, fault: S3Fault): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const headers = { ...answer.headers };
  if ('shortenTo' in fault) {
    outgoing.writeHead(answer.statusCode ?? 502, { ...headers, 'content-length': String(fault.shortenTo) });
    outgoing.end(body.subarray(0, fault.shortenTo));
    return;
  }
  if ('corrupts' in fault) {
    body[0] = (body[0] ?? 0) ^ 0xff;
    outgoing.writeHead(answer.statusCode ?? 502, headers).end(body);
    return;
  }
  const after = 'resetAfter' in fault ? fault.resetAfter : 'silentAfter' in fault ? fault.silentAfter : 0;
  outgoing.writeHead(answer.statusCode ?? 502, headers);
  outgoing.write(body.subarray(0, after), () => {
    if ('resetAfter' in fault) outgoing.destroy();
  });
}

function noteBody({ bodies }: State, incoming: IncomingMessage): void {
  const hash = createHash('sha256');
  incoming.on('data', (chunk: Buffer) => hash.update(chunk));
  incoming.on('end', () =>
    bodies.push({ signed: String(incoming.headers['x-amz-content-sha256']), arrived: hash.digest('hex') }),
  );
}

function noteUpload({ uploads }: State, url: string, answer: IncomingMessage): void {
  let xml = '';
  answer.on('data', (chunk: Buffer) => (xml += chunk.toString()));
  answer.on('end', () => {
    const id = /<UploadId>([^<]+)</.exec(xml)?.[1];
    const [path = ''] = url.split('?', 1);
    if (id !== undefined)
      uploads.set(id, { key: decodeURIComponent(path).slice(bucket.length + 2), begun: Date.now() });
  });
}

/** Answers the calls about uploads in parts that the server lacks. Returns whether it did. */
function answerUploads({ uploads }: State, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  const url = new URL(incoming.url ?? '/', 'http://s3');
  const id = url.searchParams.get('uploadId');
  if (incoming.method === 'DELETE' && id !== null) {
    outgoing.writeHead(uploads.delete(id) ? 204 : 404).end();
    return true;
  }
  if (incoming.method === 'POST' && id !== null) uploads.delete(id);
  if (incoming.method !== 'GET' || !url.searchParams.has('uploads')) return false;
  const prefix = url.searchParams.get('prefix') ?? '';
  const items = [...uploads]
    .filter(([, { key }]) => key.startsWith(prefix))
    .map(
      ([upload, { key, begun }]) =>
        `<Upload><Key>${key}</Key><UploadId>${upload}</UploadId><Initiated>${new Date(begun).toISOString()}</Initiated></Upload>`,
    );
  outgoing
    .writeHead(200, { 'Content-Type': 'application/xml' })
    .end(
      `<?xml version="1.0"?><ListMultipartUploadsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Bucket>${bucket}</Bucket>${items.join('')}</ListMultipartUploadsResult>`,
    );
  return true;
}

/** Sets variables of the environment; returns what sets them back. */
function withEnvironment(variables: Record<string, string>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
}
