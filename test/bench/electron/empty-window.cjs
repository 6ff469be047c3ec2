// The floor: a program that opens a window with one word in it, with the settings of the app's window.
const { app, BrowserWindow } = require('electron');

app.enableSandbox();
void app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 860, show: false });
  window.once('ready-to-show', () => window.show());
  return window.loadURL('data:text/html,<title>Empty</title><h1>Empty</h1>');
});
app.on('window-all-closed', () => app.quit());
