import type { Page } from 'playwright-core';

// TypeScript does not know these interfaces of Chromium.
declare global {
  interface Navigator {
    readonly hid: { requestDevice(options: { filters: [] }): Promise<unknown[]> };
    readonly usb: { requestDevice(options: { filters: [] }): Promise<unknown> };
    readonly serial: { requestPort(): Promise<unknown> };
  }
  interface Window {
    getScreenDetails(): Promise<unknown>;
    queryLocalFonts(): Promise<unknown[]>;
    IdleDetector: { requestPermission(): Promise<string> };
  }
}

/**
 * Asks for permissions that the app does not need, and returns those that were granted. Each question ends after ten seconds. The picker of files
 * (`showOpenFilePicker`) is not among them: it needs no permission but waits for the person.
 */
export function grantedPermissions(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { hid, usb, serial } = navigator;
    const denied = 1;
    const asks: Record<string, () => Promise<boolean>> = {
      microphone: async () => (await navigator.mediaDevices.getUserMedia({ audio: true })).active,
      screen: async () => (await navigator.mediaDevices.getDisplayMedia({ video: true })).active,
      geolocation: () =>
        new Promise((resolve) =>
          navigator.geolocation.getCurrentPosition(
            () => resolve(true),
            // A device without a location may have the permission.
            ({ code }) => resolve(code !== denied),
          ),
        ),
      notifications: async () => (await Notification.requestPermission()) === 'granted',
      midi: async () => (await navigator.requestMIDIAccess({ sysex: true })).sysexEnabled,
      clipboard: async () => (await navigator.clipboard.readText()) !== undefined,
      hid: async () => (await hid.requestDevice({ filters: [] })).length > 0,
      usb: async () => (await usb.requestDevice({ filters: [] })) !== undefined,
      serial: async () => (await serial.requestPort()) !== undefined,
      screens: async () => (await window.getScreenDetails()) !== undefined,
      fonts: async () => (await window.queryLocalFonts()).length > 0,
      idle: async () => (await window.IdleDetector.requestPermission()) === 'granted',
      wakeLock: async () => !(await navigator.wakeLock.request('screen')).released,
    };
    const granted: string[] = [];
    for (const [name, ask] of Object.entries(asks)) {
      const late = new Promise<'no answer'>((resolve) => setTimeout(resolve, 10_000, 'no answer'));
      const answer = await Promise.race([ask().catch(() => false), late]);
      if (answer !== false) granted.push(answer === true ? name : `${name}: ${answer}`);
    }
    return granted;
  });
}
