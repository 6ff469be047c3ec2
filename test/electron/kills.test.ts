import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { plantIntoApp } from '#test/demo/plant-app.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { planted, projectRoot, type PlantedFault } from '#test/support/planted-fault.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

import { prepareDesktop } from './support/desktop-app.ts';
import { desktopForTests } from './support/desktop-for-tests.ts';
import { typeAndKill } from './support/type-and-kill.ts';

const kills = isLongRun ? 200 : 10;
const seed = Number(process.env['BENCHBOOK_SEED'] ?? (isLongRun ? Date.now() % 1_000_000 : 1));

/** The editor says that the text is saved while it is still being typed. */
const early: PlantedFault = {
  name: 'an early word of the editor',
  breaks: 'Text that the screen calls saved is not in the draft yet.',
  where: 'app',
  edits: [
    {
      file: 'desktop/renderer/screens/editor/editor-bar.tsx',
      find: "if (isTyping || draft.saved === 'saving') {",
      replace: "if (isTyping && draft.saved === 'saving' && draft.content === null) {",
    },
  ],
};

const { prepared } = desktopForTests('kills');

async function workshop(): Promise<TestServer> {
  const server = await startServer();
  await server.category('Bench Grinder');
  return server;
}

describe('work in the desktop app', () => {
  it('ELECTRON-73 ELECTRON-74 ELECTRON-76 work shown as saved survives killing any process of the app', async () => {
    process.stderr.write(`Kills with seed ${seed}\n`);
    await using server = await workshop();
    const counts = await typeAndKill(prepared(), server, { seed, kills });
    process.stderr.write(`Killed ${JSON.stringify(counts)}\n`);
    expect(counts.main + counts.Tab + counts.GPU + counts.Utility).toBe(kills);
    // Otherwise the person would never have seen that anything is saved.
    expect(counts.savings).toBeGreaterThan(kills);
  });

  it('ELECTRON-74 the planted fault fits the sources', () => {
    for (const { file } of early.edits)
      expect(
        planted(early, projectRoot + file, () => readFileSync(projectRoot + file, 'utf8')),
      ).toBeDefined();
  });

  it.runIf(isLongRun)('ELECTRON-74 a screen that calls text saved too early is noticed', async () => {
    const faulty = await prepareDesktop({ plugins: plantIntoApp(early) });
    if ('missing' in faulty) throw new Error(faulty.missing);
    await using _faulty = faulty;
    await using server = await workshop();
    await expect(typeAndKill(faulty, server, { seed: 1, kills: 40 })).rejects.toThrow(/: Lost: /);
  });
});
