import { createRequire } from 'node:module';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));

/** What electron-builder uses of its configuration here. */
interface Config {
  linux: object;
  appImage?: { executableArgs?: string[] };
}

const { getConfig } = builder('app-builder-lib/out/util/config/config') as {
  getConfig: (dir: string, file: string, given: null) => Promise<Config>;
};
const { default: AppImageTarget } = builder('app-builder-lib/out/targets/appimage/AppImageTarget') as {
  default: new (
    name: string,
    packager: object,
    helper: object,
    to: string,
  ) => { desktopEntry: { value: Promise<string> } };
};

/** The command that electron-builder writes into the AppImage's entry in the menu. */
async function commandIn(config: Config): Promise<string> {
  const packager = { config, platformSpecificBuildOptions: config.linux, appInfo: { buildVersion: '1' } };
  const helper = { computeDesktopEntry: async (_options: object, command: string) => command };
  return new AppImageTarget('appImage', packager, helper, '').desktopEntry.value;
}

it('ELECTRON-37 the entry of the AppImage in the menu starts the program with its sandbox', async () => {
  const config = await getConfig(root, 'electron-builder.yml', null);
  expect(await commandIn(config)).toBe('AppRun %U');
  // Without the setting, electron-builder would switch it off.
  expect(await commandIn({ linux: {} })).toContain('--no-sandbox');
});
