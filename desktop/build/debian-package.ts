import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Configuration, FileAssociation } from 'electron-builder';
import sharp from 'sharp';

import { must } from '#shared/must.ts';

const root = join(import.meta.dirname, '../..');
const icon = join(root, 'desktop/renderer/public/icon.svg');

/** Sizes of the theme `hicolor`, in which desktops look for icons, pixels. */
const iconSizes = [32, 48, 128, 256, 512];

/** Whether Debian packages can be made here. */
export function hasDpkg(): boolean {
  return spawnSync('dpkg-deb', ['--version'], { stdio: 'ignore' }).status === 0;
}

interface DebianOptions {
  /** Folder of the program that electron-builder packed. */
  program: string;
  /** Folder that the package goes into. */
  to: string;
  version: string;
  /** What electron-builder.yml says. */
  config: Configuration;
  /** Name of the .desktop file. */
  desktopName: string;
  /** Compresses little, in less time. */
  quick: boolean;
}

/**
 * Makes the Debian package of the desktop app with dpkg-deb; returns its path. It needs no maintainer scripts: the
 * triggers of dpkg update the lists of programs, icons and types of files.
 *
 * electron-builder would make it with fpm, which it downloads. Its scripts would also remove `/usr/bin/benchbook`, the
 * command of the server's package.
 */
export async function buildDebian(options: DebianOptions): Promise<string> {
  const { program, to, version, config, desktopName, quick } = options;
  const name = must(config.deb?.packageName, 'the name of the package');
  const executable = must(config.linux?.executableName, 'the name of the program');
  const product = must(config.productName, 'the name of the product');
  const architecture = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();
  const file = join(to, `${name}_${version}_${architecture}.deb`);
  const tree = mkdtempSync(join(to, 'debian-'));
  try {
    const put = (path: string, text: string): void => {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    };
    cpSync(program, join(tree, 'opt', product), { recursive: true });
    mkdirSync(join(tree, 'usr/bin'), { recursive: true });
    symlinkSync(`../../opt/${product}/${executable}`, join(tree, 'usr/bin', executable));
    put(`usr/share/applications/${desktopName}`, desktopEntry(config, desktopName));
    put('usr/lib/systemd/user/benchbook-station.service', stationUnit(config));
    put(`usr/share/mime/packages/${executable}.xml`, mimeTypes(config));
    await putIcons(join(tree, 'usr/share/icons/hicolor'), executable);
    mkdirSync(join(tree, 'usr/share/doc', name), { recursive: true });
    cpSync(join(root, 'LICENSE'), join(tree, 'usr/share/doc', name, 'copyright'));
    execFileSync('chmod', ['-R', 'go-w,a+rX', tree]);
    // Chromium uses this helper where programs may not make user namespaces, as on Ubuntu since 24.04. That is why the
    // package brings no AppArmor profile, which older systems could not read.
    chmodSync(join(tree, 'opt', product, 'chrome-sandbox'), 0o4755);
    const [kilobytes = ''] = execFileSync('du', ['-sk', tree], { encoding: 'utf8' }).split('\t');
    put('DEBIAN/control', control(config, version, architecture, kilobytes));
    // The default level of xz saves 12 of 90 MB and takes seven times as long.
    const compression = quick ? '-Zgzip' : '-Zxz';
    execFileSync('dpkg-deb', ['--root-owner-group', compression, '-z1', '--build', tree, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return file;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

function control(config: Configuration, version: string, architecture: string, kilobytes: string): string {
  const { deb, linux } = config;
  return `Package: ${deb?.packageName}
Version: ${version}
Section: misc
Priority: optional
Architecture: ${architecture}
Maintainer: ${linux?.maintainer}
Depends: ${deb?.depends?.join(', ')}
Recommends: ${deb?.recommends?.join(', ')}
Installed-Size: ${kilobytes}
Description: ${linux?.synopsis}
 The desktop app of Benchbook. It works without a network, keeps the work in files, and synchronises with a server of
 Benchbook. It opens oManual archives without an account.
`;
}

function desktopEntry(config: Configuration, desktopName: string): string {
  const { linux, productName } = config;
  const types = fileTypes(config).map(({ mimeType }) => `${mimeType};`);
  return `[Desktop Entry]
Type=Application
Name=${productName}
Comment=${linux?.synopsis}
Exec=/opt/${productName}/${linux?.executableName} %F
Icon=${linux?.executableName}
Terminal=false
Categories=${linux?.category};
MimeType=${types.join('')}
StartupWMClass=${desktopName.replace(/\.desktop$/, '')}
`;
}

/** Starts the app as a station with the session of an account, and again when it ends. docs/kiosk.md explains it. */
function stationUnit({ linux, productName }: Configuration): string {
  return `[Unit]
Description=${productName} as a station
PartOf=graphical-session.target
After=graphical-session.target

[Service]
ExecStart=/opt/${productName}/${linux?.executableName} --kiosk --keep-key-in-file
Restart=always
RestartSec=3

[Install]
WantedBy=graphical-session.target
`;
}

function mimeTypes(config: Configuration): string {
  const types = fileTypes(config).map(({ mimeType, name, ext }) => {
    const globs = [ext].flat().map((one) => `    <glob pattern="*.${one}"/>`);
    return `  <mime-type type="${mimeType}">
    <comment>${name}</comment>
    <sub-class-of type="application/zip"/>
${globs.join('\n')}
  </mime-type>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
${types.join('\n')}
</mime-info>
`;
}

function fileTypes({ fileAssociations }: Configuration): FileAssociation[] {
  return [fileAssociations ?? []].flat();
}

async function putIcons(theme: string, name: string): Promise<void> {
  for (const size of iconSizes) {
    const folder = join(theme, `${size}x${size}/apps`);
    mkdirSync(folder, { recursive: true });
    await sharp(icon, { density: 600 })
      .resize(size, size)
      .png()
      .toFile(join(folder, `${name}.png`));
  }
  mkdirSync(join(theme, 'scalable/apps'), { recursive: true });
  cpSync(icon, join(theme, 'scalable/apps', `${name}.svg`));
}
