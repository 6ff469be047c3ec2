interface TrustedTypePolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string; createHTML(markup: string): string },
  ): unknown;
}

declare global {
  interface Window {
    trustedTypes?: TrustedTypePolicyFactory;
  }
}

/** Markup that is part of the app's own code. */
const known = new Set(['']);

/**
 * Lets a constant of the app's code, such as the icons of a library, become markup. Never to be called with anything
 * that a person or a server wrote.
 */
export function trustOwnMarkup(markup: string): void {
  known.add(markup);
}

/**
 * Installs the page's only trusted-types policy: workers may be started from our own origin, and text never becomes code,
 * nor markup unless it is a constant of our own (`trustOwnMarkup`).
 */
export function installTrustedTypes(): void {
  window.trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (new URL(url, location.href).origin === location.origin) return url;
      throw new TypeError(`Scripts come from this app only, not from ${url}`);
    },
    createHTML: (markup) => {
      if (known.has(markup)) return markup;
      throw new TypeError('Text never becomes markup');
    },
  });
}
