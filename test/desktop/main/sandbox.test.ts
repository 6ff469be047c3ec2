import { expect, it } from 'vitest';

import { refuseStart } from '#desktop/main/refused-start.ts';
import { sandboxRefusal } from '#desktop/main/sandbox.ts';
import { mainTexts } from '#desktop/main/text/en.ts';
import { must } from '#shared/must.ts';

it.each([
  [['no-sandbox'], 'no-sandbox'],
  [['disable-gpu', 'disable-seccomp-filter-sandbox'], 'disable-seccomp-filter-sandbox'],
  [['no-zygote-sandbox'], 'no-zygote-sandbox'],
  // Without user namespaces the helper of the Debian package confines the page.
  [['disable-namespace-sandbox', 'enable-sandbox', 'remote-debugging-port'], null],
  [[], null],
])('ELECTRON-24 of the switches %s, %s opens the sandbox', (given, opening) => {
  const refusal = sandboxRefusal({ hasSwitch: (name) => given.includes(name) });
  expect(refusal?.detail ?? null).toBe(opening === null ? null : `--${opening}`);
});

it('ELECTRON-24 the log and a dialog say why the program does not start, then it ends', async () => {
  const did: string[] = [];
  const refusal = must(sandboxRefusal({ hasSwitch: (name) => name === 'no-sandbox' }), 'a refusal');
  await refuseStart(refusal, {
    app: {
      whenReady: async () => void did.push('ready'),
      exit: (code) => void did.push(`exit ${code}`),
    },
    dialog: { showErrorBox: (title, content) => void did.push(`dialog ${title} ${content}`) },
    texts: () => mainTexts,
    report: (line) => void did.push(`log ${line}`),
  });
  expect(did).toEqual([
    expect.stringMatching(/^log .*without its sandbox \(--no-sandbox\)/),
    'ready',
    expect.stringMatching(/^dialog .*without its sandbox --no-sandbox\n/),
    'exit 1',
  ]);
});
