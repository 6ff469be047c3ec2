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

/** Markup constants of the app's own code. */
const known = new Set(['']);

/**
 * Allows a constant of the app's code, such as a library's icons, to be inserted as markup. Must never be called with
 * text from a person or a server.
 */
export function trustOwnMarkup(markup: string): void {
  known.add(markup);
}

/**
 * Installs the only trusted-types policy of the page: workers may be started from the app's origin; text never
 * becomes a script, and becomes markup only if it was passed to `trustOwnMarkup`.
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
