import { crc32, deflateSync } from 'node:zlib';

/** A client that measures its calls and fails on unexpected statuses. */
export interface Caller {
  json<T>(method: string, path: string, body?: unknown, wanted?: number): Promise<T>;
  bytes(method: string, path: string, body: Uint8Array | undefined, wanted?: number): Promise<Uint8Array>;
}

interface GuideAnswer {
  guideid: number;
  revisionid: number;
  steps: { stepid: number; revisionid: number }[];
}

/** The kinds of calls that people and devices make in a working day, once each. `round` makes names unique. */
export async function workingSession(call: Caller, round: string): Promise<void> {
  const guide = await writeGuide(call, round);
  await workOn(call, guide);
  await read(call, guide);
  await sync(call, round);
  await tidyUp(call, guide, round);
}

async function writeGuide(call: Caller, round: string): Promise<GuideAnswer> {
  const made = await call.json<GuideAnswer>(
    'POST',
    '/api/2.0/guides',
    {
      category: 'Bench Grinder',
      type: 'repair',
      title: `Belt ${round}`,
      public: true,
      steps: [1, 2, 3].map((step) => ({
        title: `Step ${step}`,
        lines: [{ text: `Words of ${round}, step ${step}` }],
      })),
    },
    201,
  );
  const id = `/api/2.0/guides/${made.guideid}`;
  let guide = await call.json<GuideAnswer>('PATCH', `${id}?revisionid=${made.revisionid}`, {
    introduction: `Changed in ${round}`,
  });
  const [first] = guide.steps;
  if (first === undefined) throw new Error('a guide without steps');
  await call.json('PATCH', `${id}/steps/${first.stepid}?revisionid=${first.revisionid}`, {
    lines: [{ text: `Changed words of ${round}` }],
  });
  guide = await call.json<GuideAnswer>('GET', id);
  await call.json('PUT', `${id}/steporder?revisionid=${guide.revisionid}`, {
    stepids: guide.steps.map(({ stepid }) => stepid).toReversed(),
  });
  await call.json('PUT', `${id}/tag`, { tag: `tag-${round}` });
  await call.json('POST', `/api/2.0/comments/guide/${made.guideid}`, { text: `A comment of ${round}` }, 201);
  await call.json('PUT', `/api/2.0/user/favorites/guides/${made.guideid}`, undefined, 204);
  const image = await call.bytes('POST', `/api/2.0/user/media/images?file=${round}.png`, pictureOf(round));
  const {
    image: { id: imageid, guid },
  } = JSON.parse(new TextDecoder().decode(image)) as {
    image: { id: number; guid: string };
  };
  guide = await call.json<GuideAnswer>('GET', id);
  const [step] = guide.steps;
  await call.json('PATCH', `${id}/steps/${step?.stepid}?revisionid=${step?.revisionid}`, {
    media: { type: 'image', data: [imageid] },
  });
  await call.bytes('GET', `/igi/${guid}.thumbnail`, undefined);
  await call.bytes('GET', `/igi/${guid}.medium`, undefined);
  return call.json<GuideAnswer>('GET', id);
}

async function workOn(call: Caller, { guideid, steps }: GuideAnswer): Promise<void> {
  const stepid = steps[0]?.stepid ?? 0;
  const form = await call.json<{ fields: { field_revisionid: number }[] }>(
    'POST',
    `/api/2.0/step_forms/${stepid}`,
    { fields: [{ field_type: 'Radios', label: 'Result', options: ['pass', 'fail'] }] },
  );
  const { entryid } = await call.json<{ entryid: number }>(
    'POST',
    '/api/2.0/work_log',
    { guideid, workorderid: `WO-${guideid}` },
    201,
  );
  const entry = `/api/2.0/work_log/${entryid}`;
  await call.json('PUT', `${entry}/step`, { stepid });
  await call.json('PUT', `${entry}/stepData`, {
    fields: { [String(form.fields[0]?.field_revisionid)]: 'pass' },
  });
  await call.json('POST', `${entry}/pause`, {});
  await call.json('POST', `${entry}/resume`, {});
  await call.json('POST', `${entry}/finish`, {});
  await call.json('GET', entry);
}

async function read(call: Caller, { guideid }: GuideAnswer): Promise<void> {
  for (const path of [
    '/api/2.0/guides?limit=50',
    `/api/2.0/guides/${guideid}`,
    `/api/2.0/comments?context=guide&contextid=${guideid}`,
    '/api/2.0/categories',
    '/api/2.0/search/belt',
    '/api/2.0/suggest/belt',
    '/api/2.0/work_log?limit=20',
    '/api/2.0/users?limit=20',
    '/api/2.0/user/favorites/guides',
    '/api/2.0/wikis/CATEGORY',
    '/api/2.0/sites/info',
  ])
    await call.json('GET', path);
}

async function sync(call: Caller, round: string): Promise<void> {
  const load = await call.bytes('GET', '/sync/1/bootstrap?protocol=5-6', undefined);
  const tail = new TextDecoder().decode(load).trim().split('\n').at(-1) ?? '';
  const { checkpoint } = JSON.parse(tail) as { checkpoint: string };
  await call.bytes('GET', `/sync/1/pull?protocol=5-6&since=${checkpoint}&seen=${checkpoint}`, undefined);
  const body = {
    protocol: 5,
    calls: [
      {
        id: `batch-${round}`,
        lane: 'guide:new',
        method: 'POST',
        path: '/guides',
        body: { category: 'Bench Grinder', type: 'repair', title: `Batch ${round}` },
      },
    ],
  };
  await call.bytes('POST', '/sync/1/batch?protocol=5-6', new TextEncoder().encode(JSON.stringify(body)));
}

/** So that lists do not grow during the run, and calls at its end cost what they cost at its beginning. */
async function tidyUp(call: Caller, { guideid }: GuideAnswer, round: string): Promise<void> {
  const mine = await call.json<{ guideid: number; revisionid: number; title: string }[]>(
    'GET',
    '/api/2.0/user/guides?limit=200',
  );
  for (const one of mine.filter(({ guideid: id, title }) => id === guideid || title.includes(round))) {
    const { revisionid } = await call.json<GuideAnswer>('GET', `/api/2.0/guides/${one.guideid}`);
    await call.json('DELETE', `/api/2.0/guides/${one.guideid}?revisionid=${revisionid}`, undefined, 204);
  }
}

/** A PNG of 64 by 64 pixels whose colour follows from a text. */
function pictureOf(text: string): Uint8Array {
  const [red = 0, green = 0, blue = 0] = Buffer.from(crc32(text).toString(16).padStart(8, '0'), 'hex');
  const size = 64;
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(size * 3, Buffer.from([red, green, blue]))]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const content = Buffer.concat([Buffer.from(type), data]);
    const whole = Buffer.alloc(content.length + 8);
    whole.writeUInt32BE(data.length, 0);
    content.copy(whole, 4);
    whole.writeUInt32BE(crc32(content), content.length + 4);
    return whole;
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(row.length * size, row))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
