import type { SiteEdit } from '#shared/api/site.ts';
import type { WebhookEdit } from '#shared/api/webhooks.ts';
import type { AppId, ServerStatus, SiteRecord } from '#shared/model/site.ts';
import type { GivenProof } from './account.ts';
import type { Webhook, WebhookEvent } from '#shared/model/webhook.ts';

/** Administration of the server. It needs the network: each call asks the server and throws its `Problem`. */
export interface SiteActions {
  readSite(): Promise<SiteRecord>;
  /** `proof`: that it is the administrator; without one the server refuses another address, mail server or identity provider. */
  changeSite(edit: SiteEdit, proof?: GivenProof): Promise<SiteRecord>;
  /** The single sign-on id of a person; null: they have none. */
  readSsoUserid(userid: number): Promise<string | null>;
  /** Sets or removes a person's single sign-on id. Throws `Problem` invalid when somebody else has or had it. */
  changeSsoUserid(userid: number, ssoUserid: string | null, proof: GivenProof): Promise<string | null>;
  /** The state of the server: checks, backups, devices, background work. */
  readStatus(): Promise<ServerStatus>;
  listAppIds(): Promise<AppId[]>;
  issueAppId(name: string): Promise<AppId>;
  revokeAppId(appid: string): Promise<void>;
  listWebhooks(): Promise<Webhook[]>;
  /** Only this answer contains the secret. */
  addWebhook(url: string, events: WebhookEvent[], description: string): Promise<Webhook>;
  changeWebhook(webhookid: number, edit: WebhookEdit): Promise<Webhook>;
  removeWebhook(webhookid: number): Promise<void>;
  testWebhook(webhookid: number): Promise<void>;
  /** Delivers failed messages again; returns their number. */
  replayWebhook(webhookid: number): Promise<number>;
}
