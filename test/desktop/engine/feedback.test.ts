import { afterEach, expect, test } from 'vitest';

import type { FeedbackTask } from '#desktop/engine/api/feedback-records.ts';
import type { CommentView } from '#desktop/engine/api/records.ts';
import { must } from '#shared/must.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

/** Ana wrote the guide, Tim only reads, Edda may edit guides of others. */
type Name = 'Ana' | 'Tim' | 'Edda';

interface Shop {
  server: TestServer;
  /** Whether there is a network. */
  net: { isOn: boolean };
  /** Opens a person's device. RxDB opens one home at a time, so only one device is open. */
  open: (name: Name) => Promise<WholeDevice>;
  guideid: string;
  stepid: string;
  anaid: number;
}

async function shop(): Promise<Shop> {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const ana = await server.person('Ana', ['User']);
  await server.person('Tim', ['User']);
  await server.person('Edda', ['User', 'Author']);
  const guide = await makeGuide(ana);
  const net = { isOn: true };
  const disks = { Ana: newDisk(), Tim: newDisk(), Edda: newDisk() };
  const known = new Set<Name>();
  const open = async (name: Name): Promise<WholeDevice> => {
    const device = await startWholeDevice(() => (net.isOn ? server.url : null), disks[name]);
    if (!known.has(name)) await device.signIn(name);
    known.add(name);
    if (net.isOn) await device.inSync();
    return device;
  };
  return {
    server,
    net,
    open,
    guideid: String(guide.guideid),
    stepid: String(stepAt(guide, 0)),
    anaid: ana.userid,
  };
}

const only = (tasks: readonly FeedbackTask[]): FeedbackTask =>
  must(tasks.length === 1 ? tasks[0] : undefined, 'one task');

async function given(device: WholeDevice, guideid: string): Promise<readonly CommentView[]> {
  const guide = await device.shows((one) => one !== null, 'guide', guideid);
  return must(guide?.steps[0], 'the step').comments;
}

test('FEEDBACK-1 FEEDBACK-4 FEEDBACK-5 feedback given offline becomes a task, and its giver sees who closed it', async () => {
  const { net, open, guideid, stepid } = await shop();
  {
    await using tim = await open('Tim');
    net.isOn = false;
    const commentid = await tim.actions.giveFeedback(stepid, 'unsafe');
    await tim.actions.comment('step', stepid, 'No guard', commentid);
    expect(await given(tim, guideid)).toMatchObject([
      {
        mine: true,
        pending: true,
        text: '',
        html: '',
        feedback: { reason: 'unsafe', done: null },
        replies: [{ text: 'No guard', feedback: null }],
      },
    ]);
    expect(await tim.look('feedback')).toEqual([]);
    net.isOn = true;
    tim.actions.syncNow();
    await tim.shows((guide) => guide?.steps[0]?.comments[0]?.replies[0]?.pending === false, 'guide', guideid);
  }
  {
    await using ana = await open('Ana');
    const task = only(await ana.shows((all) => all[0]?.words.length === 1, 'feedback'));
    expect(task).toMatchObject({
      guideid,
      guideTitle: 'Belt',
      stepid,
      stepNumber: 1,
      username: 'Tim',
      own: false,
      mine: true,
      reason: 'unsafe',
      done: null,
      words: [{ username: 'Tim', text: 'No guard' }],
    });
    net.isOn = false;
    await ana.actions.closeFeedback(task.commentid, ' There is one now ');
    expect(only(await ana.look('feedback'))).toMatchObject({
      done: { username: 'Ana', mine: true, pending: true },
      words: [{ text: 'No guard' }, { text: 'There is one now', own: true, pending: true }],
    });
    net.isOn = true;
    ana.actions.syncNow();
    await ana.shows((all) => only(all).done?.pending === false, 'feedback');
    await ana.shows((all) => only(all).words[1]?.pending === false, 'feedback');
  }
  await using tim = await open('Tim');
  const told = await tim.shows(
    (guide) => (guide?.steps[0]?.comments[0]?.feedback?.done ?? null) !== null,
    'guide',
    guideid,
  );
  expect(told?.steps[0]?.comments).toMatchObject([
    {
      feedback: { done: { username: 'Ana', mine: false } },
      replies: [{ text: 'No guard' }, { author: 'Ana', text: 'There is one now' }],
    },
  ]);
});

test('FEEDBACK-4 feedback that was not sent is taken back without a trace', async () => {
  const { net, open, guideid, stepid } = await shop();
  await using tim = await open('Tim');
  net.isOn = false;
  await tim.actions.removeComment(await tim.actions.giveFeedback(stepid, 'unclear'));
  expect(await given(tim, guideid)).toEqual([]);
  expect(await tim.look('activity')).toEqual([]);
});

test('FEEDBACK-4 closing and reopening that both wait are sent as the last of them', async () => {
  const { server, net, open, stepid } = await shop();
  await using ana = await open('Ana');
  const commentid = await ana.actions.giveFeedback(stepid, 'missing');
  await ana.shows((all) => only(all).pending === false, 'feedback');
  net.isOn = false;
  await ana.actions.closeFeedback(commentid);
  await ana.actions.reopenFeedback(commentid);
  await ana.actions.closeFeedback(commentid);
  const waiting = (await ana.look('activity')).filter(({ kind }) => kind === 'feedback');
  expect(waiting).toMatchObject([{ detail: 'on', subject: 'Belt' }]);
  await ana.actions.reopenFeedback(commentid);
  expect(only(await ana.look('feedback')).done).toBeNull();
  net.isOn = true;
  ana.actions.syncNow();
  await ana.shows((all) => all.every(({ state }) => state === 'on-the-server'), 'activity');
  const response = await fetch(`${server.url}/api/2.0/comments/step/${stepid}`);
  expect(await response.json()).toMatchObject([{ feedback: { reason: 'missing' } }]);
  expect(only(await ana.look('feedback'))).toMatchObject({ pending: false, done: null });
});

test('FEEDBACK-5 others who may edit the guide see feedback, which is their task when the author is gone', async () => {
  const { server, open, stepid, anaid } = await shop();
  {
    await using tim = await open('Tim');
    await tim.actions.giveFeedback(stepid, 'wrong');
    await tim.shows((all) => all.every(({ state }) => state === 'on-the-server'), 'activity');
  }
  {
    await using edda = await open('Edda');
    expect(only(await edda.shows((all) => all.length === 1, 'feedback')).mine).toBe(false);
  }
  const admin = await server.person('Ada', ['User', 'Admin']);
  const closed = await admin.call('PATCH', `/users/${anaid}`, { enabled: false });
  expect(closed.status).toBe(200);
  await using edda = await open('Edda');
  expect(only(await edda.shows((all) => all[0]?.mine === true, 'feedback')).reason).toBe('wrong');
});
