import type { Course, OwnCourse } from '#shared/model/course.ts';
import type { TrainingImport, TrainingPlayer, TrainingResult } from '#shared/model/training.ts';
import { must } from '#shared/must.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';
import { zipOf, type Files } from '#test/support/training-packages.ts';
import { jsonOf } from '#test/support/answer.ts';

const modules = '/external_training_modules';

/** Creates an import of a new module, or of a version of an existing one. */
export async function beginImport(
  author: TestPerson,
  body: object = { title: 'Lockout' },
): Promise<TrainingImport> {
  const { status, body: made } = await author.call('POST', `${modules}/imports`, body);
  if (status !== 201) throw new Error(JSON.stringify(made));
  return made;
}

/** Sends bytes as the package of an import. Returns status and record. */
export async function upload(
  server: TestServer,
  author: TestPerson,
  importid: number,
  bytes: Uint8Array<ArrayBuffer> | FormData,
): Promise<{ status: number; body: TrainingImport & { errors?: { field: string; message: string }[] } }> {
  const address = `${server.url}/api/2.0${modules}/imports/${importid}/start/byUpload`;
  const response = await fetch(address, {
    method: 'POST',
    headers: { Authorization: `api ${author.token}` },
    body: bytes,
  });
  return { status: response.status, body: await jsonOf(response) };
}

/** Imports a package to its end. */
export async function imported(
  server: TestServer,
  author: TestPerson,
  files: Files | Uint8Array<ArrayBuffer>,
  body?: object,
): Promise<TrainingImport> {
  const { importid } = await beginImport(author, body);
  const bytes = files instanceof Uint8Array ? files : zipOf(files);
  const { status } = await upload(server, author, importid, bytes);
  if (status !== 202) throw new Error(`The upload answers ${status}`);
  await server.jobs.idle();
  return (await author.call('GET', `${modules}/imports/${importid}`)).body;
}

/** A course with a module of this package, assigned to the learner. */
export async function assigned(
  server: TestServer,
  author: TestPerson,
  learner: TestPerson,
  files: Files,
  stage: object = {},
): Promise<{ course: Course; version: TrainingImport; moduleid: number }> {
  const version = await imported(server, author, files);
  const moduleid = version.external_training_moduleid;
  await author.call('PUT', `${modules}/${moduleid}/current`, { importid: version.importid });
  const stages = [{ doctype: 'external_training_module', docid: moduleid, ...stage }];
  const made = await author.call('POST', '/courses', { title: 'Safety', stages });
  const course = made.body as Course;
  await author.call('POST', `/courses/${course.courseid}/assignments`, { userid: learner.userid });
  return { course, version, moduleid };
}

/** The player of a module for a learner. */
export async function playerOf(learner: TestPerson, moduleid: number): Promise<TrainingPlayer> {
  const { status, body } = await learner.call('GET', `${modules}/${moduleid}/player`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** Opens a link of the player like a browser. Returns the address of the page in the frame. */
export async function opened(link: string): Promise<string> {
  const response = await fetch(link);
  const html = await response.text();
  if (response.status !== 200) throw new Error(`The link answers ${response.status}`);
  return must(/<iframe [^>]*src="([^"]+)"/.exec(html)?.[1], 'the frame of the module');
}

/** A call by the player page. */
export async function page<T>(
  address: string,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; headers: Headers; body: T }> {
  const response = await fetch(new URL(path, address), init);
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson ? JSON.parse(text) : text) as T,
  };
}

/** The data that a part of a module gets at its start. */
export interface Started {
  url: string;
  api: string | null;
  data: Record<string, string>;
}

/** A module of this package, assigned to a learner and opened in their browser. */
export async function played(
  people: { server: TestServer; author: TestPerson; learner: TestPerson },
  files: Files,
  stage: object = {},
) {
  const { server, author, learner } = people;
  const world = await assigned(server, author, learner, files, stage);
  const address = await opened((await playerOf(learner, world.moduleid)).url);
  const launch = async (): Promise<Started> =>
    (await page<Started>(address, 'activities/0/launch', { method: 'POST' })).body;
  const result = async (): Promise<TrainingResult | undefined> =>
    ((await author.call('GET', `${modules}/${world.moduleid}/results`)).body as TrainingResult[])[0];
  const own = async (): Promise<OwnCourse | undefined> =>
    ((await learner.call('GET', '/user/courses')).body as OwnCourse[]).find(
      ({ course }) => course.courseid === world.course.courseid,
    );
  return { ...world, address, launch, result, own };
}
