import { jobsText } from '#desktop/renderer/text/en/jobs.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import type { WebhookDelivery } from '#shared/model/webhook.ts';

const { answers } = jobsText;

/** What the receiver of a delivery answered, in words, with the status for those who look for it. */
export function answerWords({
  last_status,
  last_error,
}: Pick<WebhookDelivery, 'last_status' | 'last_error'>): string {
  if (last_status === null) return last_error === null ? answers.none : errorWords(last_error);
  return `${statusWords(last_status)} (${last_status})`;
}

function statusWords(status: number): string {
  if (status < 300) return answers.ok;
  if (status < 400) return answers.redirect;
  switch (status) {
    case 400:
    case 422:
      return answers.badRequest;
    case 401:
    case 403:
      return answers.forbidden;
    case 404:
    case 410:
      return answers.notFound;
    case 429:
      return answers.tooMany;
    default:
      return status < 500 ? answers.client : answers.server;
  }
}

/** The frequent errors of a connection; others in the words of the server. */
function errorWords(error: string): string {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(error)) return jobsText.unreachable;
  if (/time(?:d )?out/i.test(error)) return jobsText.timedOut;
  if (/certificate|CERT_|SELF_SIGNED/i.test(error)) return jobsText.insecure;
  return refusedWords(error);
}
