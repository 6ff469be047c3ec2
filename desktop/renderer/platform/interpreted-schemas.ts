declare global {
  /** The settings of zod, which it takes from here when its code begins to run. */
  var __zod_globalConfig: { jitless?: boolean } | undefined;
}

// Must run before the first schema is made: zod would try to compile it, which the content security policy forbids and
// reports. Without importing zod, which the first screen does not need, and in whatever order the rest is loaded.
globalThis.__zod_globalConfig = { jitless: true };

export {};
