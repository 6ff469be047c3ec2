import { pagePlatform } from '#desktop/engine/browser-platform.ts';
import type { SecretStore } from '#desktop/engine/platform/ports.ts';

declare global {
  interface Window {
    secrets: SecretStore;
  }
}

window.secrets = pagePlatform({ defaultServer: location.origin }).secrets;
