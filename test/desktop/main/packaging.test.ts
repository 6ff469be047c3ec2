import { createRequire } from 'node:module';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

interface BuilderConfig {
  getConfig: (
    projectDir: string,
    configPath: string | null,
    options: null,
  ) => Promise<Record<string, unknown>>;
  validateConfiguration: (config: Record<string, unknown>, log: { isEnabled: false }) => Promise<void>;
}

const root = join(import.meta.dirname, '../../..');
const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const { getConfig, validateConfiguration } = builder(
  'app-builder-lib/out/util/config/config',
) as BuilderConfig;

describe('the packaging of the desktop app', () => {
  it('passes the check of the packager', async () => {
    const config = await getConfig(root, 'electron-builder.yml', null);
    await validateConfiguration(config, { isEnabled: false });
    await expect(validateConfiguration({ ...config, nonsense: 1 }, { isEnabled: false })).rejects.toThrow(
      'nonsense',
    );
  });

  it('ELECTRON-19 sets every fuse that would let others into the program', async () => {
    const config = await getConfig(root, 'electron-builder.yml', null);
    expect(config['electronFuses']).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
    expect(config['asar']).toBe(true);
    expect(config['disableAsarIntegrity']).toBeUndefined();
  });

  it('packs the built files and nothing of node_modules', async () => {
    const { files } = await getConfig(root, 'electron-builder.yml', null);
    expect(files).toEqual([
      { filter: ['desktop/out/**', '!desktop/out/**/*.{map,br,gz}', '!node_modules/**'] },
    ]);
  });

  it('opens archives by a double click', async () => {
    const { fileAssociations } = await getConfig(root, 'electron-builder.yml', null);
    expect(fileAssociations).toMatchObject([{ ext: ['omanual', 'oman'], role: 'Viewer' }]);
  });

  it('keeps the data of people who uninstall', async () => {
    const { nsis } = await getConfig(root, 'electron-builder.yml', null);
    expect(nsis).toMatchObject({ deleteAppDataOnUninstall: false });
  });
});
