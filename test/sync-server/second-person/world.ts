import type { StepForm } from '#shared/model/step-form.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { ok, password } from '#test/support/approvals.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';

/** A shop where Ana works, and others confirm what she did. */
export interface Shop extends AsyncDisposable {
  server: TestServer;
  mira: TestPerson;
  ana: TestPerson;
  ben: TestPerson;
  cy: TestPerson;
  kiosk: TestPerson;
  /** The team of Ana and Cy, whose lead Cy is. */
  teamid: number;
  /** An order of Ana's, by a form with a torque and this field. */
  order: (field?: object, by?: TestPerson) => Promise<Order>;
}

export interface Order {
  entryid: number;
  guideid: number;
  stepid: number;
  form: StepForm;
  torque: number;
  second: number;
  /** Records values of the form: torque, name of the second person, and details of the name. */
  record: (fields: { torque?: string; second?: string }, details?: object, by?: TestPerson) => Answer;
  confirm: (by: TestPerson, more?: object) => Answer;
  /** `userid` enters a password in the session of `by`. */
  confirmHere: (by: TestPerson, colleague: TestPerson, more?: object) => Answer;
  read: (by?: TestPerson) => Answer;
}

type Answer = Promise<{ status: number; headers: Headers; body: WorkLogEntry }>;

export const anyone = { second_person: 'anyone' };

export async function openShop(options: Parameters<typeof startServer>[0] = {}): Promise<Shop> {
  const server = await startServer(options);
  await server.category('Bench Grinder');
  const mira = await server.person('Mira', ['User', 'Admin']);
  const ana = await server.person('Ana');
  const ben = await server.person('Ben', ['User']);
  const cy = await server.person('Cy', ['User']);
  const kiosk = await server.person('Bench', ['User', 'Kiosk']);
  const { teamid } = await ok<{ teamid: number }>(
    mira.call('POST', '/teams', { name: 'Line B', owner: cy.userid }),
  );
  await ok(mira.call('PUT', `/teams/${teamid}/users/${ana.userid}`, {}));
  return {
    server,
    mira,
    ana,
    ben,
    cy,
    kiosk,
    teamid,
    order: (field = anyone, by = ana) => openOrder(ana, by, field),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function openOrder(author: TestPerson, holder: TestPerson, field: object): Promise<Order> {
  const guide = await makeGuide(author);
  const stepid = stepAt(guide, 0);
  const fields = [
    { field_type: 'Numeric Input', label: 'Torque', required: true },
    { field_type: 'Text Input', label: 'Checked by', required: true, ...field },
  ];
  const form = await ok<StepForm>(author.call('POST', `/step_forms/${stepid}`, { fields }));
  const [torque = 0, second = 0] = form.fields.map(({ field_revisionid }) => field_revisionid);
  const { guideid } = guide;
  const { entryid } = await ok<WorkLogEntry>(
    holder.call('POST', '/work_log', { guideid, workorderid: 'WO-7' }),
  );
  const own = `/work_log/${entryid}`;
  return {
    entryid,
    guideid,
    stepid,
    form,
    torque,
    second,
    record: (given, details, by = holder) =>
      by.call('PUT', `${own}/stepData`, {
        fields: {
          ...(given.torque === undefined ? {} : { [torque]: given.torque }),
          ...(given.second === undefined ? {} : { [second]: given.second }),
        },
        ...(details === undefined ? {} : { details: { [second]: details } }),
      }),
    confirm: (by, more = {}) =>
      by.call('POST', `${own}/confirm`, {
        field_revisionid: second,
        current_password: password,
        ...more,
      }),
    confirmHere: (by, { userid }, more = {}) =>
      by.call('POST', `${own}/confirm/${userid}`, { field_revisionid: second, password, ...more }),
    read: (by = holder) => by.call('GET', own),
  };
}

/** The second person in an answer. */
export function secondIn({ work_data }: WorkLogEntry) {
  return must(
    work_data.find(({ label }) => label === 'Checked by'),
    'the field',
  ).second_person;
}
