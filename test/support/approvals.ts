import type { ApprovalProcess, ApprovalRequest } from '#shared/model/approval.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { Wiki } from '#shared/model/wiki-record.ts';
import { must } from '#shared/must.ts';

import { startServer, type TestPerson, type TestServer } from './server.ts';

/** The password of every account that `startServer` creates. */
export const password = 'a long password';

/**
 * A site whose presses are under an approval process: two technicians check, then a member of the team "quality"
 * approves.
 */
export interface Shop extends AsyncDisposable {
  server: TestServer;
  /** Administrator, not named by any stage. */
  mira: TestPerson;
  /** Writes guides. */
  ana: TestPerson;
  /** Technicians of the first stage. */
  tom: TestPerson;
  tia: TestPerson;
  /** Member of the team "quality". */
  quinn: TestPerson;
  /** Not named by any stage or team. */
  lea: TestPerson;
  process: ApprovalProcess;
  teamid: number;
  /** A guide of Ana's under the process. */
  guide(fields?: object): Promise<Guide>;
  /** The newest request for a guide, read by the administrator. */
  request(guideid: number): Promise<ApprovalRequest>;
  sign(person: TestPerson, approval_requestid: number, decision: string, more?: object): Answer;
  /** Gives all signatures that the process requires. */
  signAll(approval_requestid: number): Promise<void>;
}

type Answer = ReturnType<TestPerson['call']>;

/** The body of a response, which must be a success. */
export async function ok<T>(answer: Answer): Promise<T> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as T;
}

export async function openShop(options: Parameters<typeof startServer>[0] = {}): Promise<Shop> {
  const server = await startServer({ ...options, site: { releases: true, ...options?.site } });
  const mira = await server.person('Mira', ['User', 'Author', 'Moderator', 'Admin']);
  const ana = await server.person('Ana');
  const [tom, tia, quinn, lea] = [
    await server.person('Tom', ['User']),
    await server.person('Tia', ['User']),
    await server.person('Quinn', ['User']),
    await server.person('Lea', ['User']),
  ];
  await server.category('Workshop');
  await server.category('Press', 'Workshop');
  await server.category('Hydraulic Press', 'Press');
  const { teamid } = await ok<{ teamid: number }>(
    mira.call('POST', '/teams', { name: 'Quality', owner: quinn.userid }),
  );
  const stages = [
    { name: 'Check', meaning: 'reviewed', required_approvals: 2, userids: [tom.userid, tia.userid] },
    { name: 'Quality', teamids: [teamid] },
  ];
  const body = { name: 'Press safety', stages };
  const process = await ok<ApprovalProcess>(mira.call('POST', '/approvals/process', body));
  const { wikiid } = await ok<Wiki>(mira.call('GET', '/wikis/CATEGORY/Press'));
  await ok(mira.call('PUT', `/approvals/${wikiid}/${process.approval_processid}`));
  const sign: Shop['sign'] = (person, id, decision, more = {}) =>
    person.call('POST', `/approvals/request/sign/${id}`, { decision, password, ...more });
  return {
    server,
    mira,
    ana,
    tom,
    tia,
    quinn,
    lea,
    process,
    teamid,
    sign,
    guide: (fields = {}) =>
      ok<Guide>(
        ana.call('POST', '/guides', {
          category: 'Hydraulic Press',
          type: 'repair',
          title: 'Ram seal',
          steps: [{ title: 'Vent it', lines: [{ text: 'Open the valve.' }] }],
          ...fields,
        }),
      ),
    async request(guideid) {
      const path = `/approvals/requests?guideid=${guideid}`;
      const [newest] = await ok<ApprovalRequest[]>(mira.call('GET', path));
      return must(newest, 'a request');
    },
    async signAll(id) {
      await ok(sign(tom, id, 'review'));
      await ok(sign(tia, id, 'review'));
      await ok(sign(quinn, id, 'approve'));
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
