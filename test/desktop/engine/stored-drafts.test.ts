import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import type { Core } from '#desktop/engine/account/core.ts';
import { DraftManager } from '#desktop/engine/features/editing/draft-manager.ts';
import type { JournalRecord } from '#desktop/engine/journal/journal.ts';
import { openCore } from '#desktop/engine/open-core.ts';
import { must } from '#shared/must.ts';
import { newDisk, platformOn, signIn, type Device } from '#test/desktop/engine/support/device.ts';
import { testEnvironment } from '#test/desktop/engine/support/environment.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';
import { onlySigningIn } from '#test/support/stand-in-server/stand-in-server.ts';

/** A device that can only sign in; its journal refuses the writes named by a test, and whose timers a test can stop. */
async function startDevice() {
  const disk = newDisk();
  const faults = { put: '', remove: '', isStill: false, beforePut: (_name: string): void => undefined };
  const environment = testEnvironment(onlySigningIn().fetch);
  const setTimer = environment.setTimer.bind(environment);
  environment.setTimer = (run, ms) => (faults.isStill ? () => undefined : setTimer(run, ms));
  const platform = platformOn(disk, environment);
  const isOf = (id: string, name: string): boolean => name !== '' && id.endsWith(`/${name}`);
  const start = async (as: (core: Core) => Core = (core) => core) => {
    const opened = await openCore({
      ...platform,
      openJournal: async () => {
        const journal = await platform.openJournal();
        const append = journal.append.bind(journal);
        journal.append = async (records, options) => {
          const names = (op: JournalRecord['op'], name: string): boolean =>
            records.some((record) => record.op === op && isOf(record.id, name));
          for (const { op, id } of records) if (op === 'put') faults.beforePut(id.split('/').at(-1) ?? '');
          if (names('put', faults.put)) throw new Error('The disk is full');
          if (names('delete', faults.remove)) throw new Error('The app ended');
          await append(records, options);
        };
        return journal;
      },
    });
    const device: Device = endsWithTest({ ...opened, environment });
    const { core } = device;
    if (core.session.current().status !== 'signed-in') await signIn(device);
    const drafts = new DraftManager(as(core));
    core.beforeLeaving(() => drafts.flushAll());
    await drafts.toEdit();
    const ids = (): Promise<readonly string[]> => firstValueFrom(core.drafts.ids);
    return { device, core, drafts, ids };
  };
  return { faults, start };
}

/** A new, journalled draft of a guide. */
async function newDraft(drafts: DraftManager, id: string, title: string): Promise<void> {
  const open = await drafts.openFor(id, null);
  open.draft.apply({ op: 'setText', field: 'title', value: title });
  await open.flush();
}

function retitle(drafts: DraftManager, id: string, value: string): void {
  drafts.read(id).draft.apply({ op: 'setText', field: 'title', value });
}

const titleOf = (drafts: DraftManager, id: string): string | undefined =>
  drafts.find(id)?.draft.content().title;

const moved = new Map([['guides/61', 'tmp:a']]);

test('ACCOUNT-11 a draft that cannot be stored during a sign-out does not delay other drafts', async () => {
  const { faults, start } = await startDevice();
  const { device, core, drafts } = await start();
  await newDraft(drafts, 'tmp:a', 'One');
  await newDraft(drafts, 'tmp:b', 'Two');
  faults.isStill = true;
  retitle(drafts, 'tmp:a', 'One more');
  retitle(drafts, 'tmp:b', 'Two more');
  faults.put = 'tmp:a+2';
  await core.session.signOut();
  faults.put = '';
  faults.isStill = false;
  await signIn(device);
  await drafts.toEdit();
  expect(titleOf(drafts, 'tmp:b')).toBe('Two more');
  expect(titleOf(drafts, 'tmp:a')).toBe('One');
});

test('OUTBOX-32 a draft that cannot be stored under its temporary id stays where it is, and moves when there is room', async () => {
  const { faults, start } = await startDevice();
  const { drafts, ids } = await start();
  await newDraft(drafts, '61', 'Belt');
  faults.isStill = true;
  retitle(drafts, '61', 'Belt of the grinder');
  const settled = drafts.read('61').settled();
  faults.put = 'tmp:a';
  await expect(drafts.meetHistory(moved)).rejects.toThrow('The disk is full');
  expect(titleOf(drafts, '61')).toBe('Belt of the grinder');
  await drafts.flush();
  await settled;
  faults.put = '';
  await drafts.meetHistory(moved);
  expect(titleOf(drafts, 'tmp:a')).toBe('Belt of the grinder');
  expect(drafts.find('61')).toBeUndefined();
  expect(await ids()).toEqual(['tmp:a']);
});

test('OUTBOX-32 a caller that waits for a moving draft waits until it is stored under its temporary id', async () => {
  const { faults, start } = await startDevice();
  const { drafts } = await start();
  await newDraft(drafts, '61', 'Belt');
  faults.isStill = true;
  retitle(drafts, '61', 'Belt of the grinder');
  const settled = drafts.read('61').settled();
  await drafts.meetHistory(moved);
  await settled;
  expect(titleOf(drafts, 'tmp:a')).toBe('Belt of the grinder');
});

test('OUTBOX-32 text typed while a draft moves is stored under its temporary id', async () => {
  const { faults, start } = await startDevice();
  const first = await start();
  await newDraft(first.drafts, '61', 'Belt');
  faults.isStill = true;
  faults.beforePut = (name) => {
    if (name !== 'tmp:a') return;
    faults.beforePut = () => undefined;
    retitle(first.drafts, '61', 'Typed meanwhile');
  };
  await first.drafts.meetHistory(moved);
  expect(titleOf(first.drafts, 'tmp:a')).toBe('Typed meanwhile');
  faults.put = 'tmp:a';
  await first.device.close().catch(() => undefined);
  faults.put = '';
  const second = await start();
  expect(titleOf(second.drafts, 'tmp:a')).toBe('Typed meanwhile');
  second.drafts.read('tmp:a').draft.undo();
  expect(titleOf(second.drafts, 'tmp:a')).toBe('Belt');
});

test.each([true, false])(
  'OUTBOX-32 a draft whose move was interrupted is one draft with the latest text (the same guide: %s)',
  async (isSame) => {
    const { faults, start } = await startDevice();
    const first = await start();
    await newDraft(first.drafts, '61', 'Belt');
    faults.remove = '61';
    await expect(first.drafts.meetHistory(moved)).rejects.toThrow('The app ended');
    retitle(first.drafts, 'tmp:a', 'Belt of the grinder');
    await first.drafts.flush();
    expect((await first.ids()).filter((id) => !id.includes('+'))).toEqual(['61', 'tmp:a']);
    await first.device.close();

    faults.remove = '';
    const realId = (id: string): string | undefined => (isSame && id === 'tmp:a' ? '61' : undefined);
    const second = await start((core) => ({ ...core, outbox: { ...core.outbox, realId } }));
    expect(must(titleOf(second.drafts, isSame ? '61' : 'tmp:a'), 'the draft')).toBe('Belt of the grinder');
    if (!isSame) await second.drafts.meetHistory(moved);
    expect(titleOf(second.drafts, 'tmp:a')).toBe('Belt of the grinder');
    await second.drafts.flush();
    expect((await second.ids()).filter((id) => !id.includes('+'))).toEqual(['tmp:a']);
  },
);
