import type { MenuItem } from './electron.ts';
import type { MainTexts } from './text/main-language.ts';

/** The menu that Electron makes by itself, in the language of the app: Electron's has only English labels. */
export function menuTemplate({ menu }: MainTexts, platform: NodeJS.Platform): MenuItem[] {
  const isMac = platform === 'darwin';
  const item = (role: NonNullable<MenuItem['role']>): MenuItem => ({ role, label: menu[role] });
  const line: MenuItem = { type: 'separator' };
  const app = [
    item('about'),
    line,
    item('services'),
    line,
    item('hide'),
    item('hideOthers'),
    item('unhide'),
    line,
    item('quit'),
  ];
  const edit = [item('undo'), item('redo'), line, item('cut'), item('copy'), item('paste')];
  const editMore = isMac
    ? [item('pasteAndMatchStyle'), item('delete'), item('selectAll')]
    : [item('delete'), line, item('selectAll')];
  const view = [
    item('reload'),
    item('forceReload'),
    item('toggleDevTools'),
    line,
    item('resetZoom'),
    item('zoomIn'),
    item('zoomOut'),
    line,
    item('togglefullscreen'),
  ];
  const window = [item('minimize'), item('zoom'), ...(isMac ? [line, item('front')] : [item('close')])];
  return [
    ...(isMac ? [{ label: 'Benchbook', submenu: app }] : []),
    { label: menu.file, submenu: [item(isMac ? 'close' : 'quit')] },
    { label: menu.edit, submenu: [...edit, ...editMore] },
    { label: menu.view, submenu: view },
    { label: menu.window, submenu: window },
  ];
}
