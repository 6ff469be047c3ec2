import { useState } from 'react';

import type { GivenProof } from '#desktop/engine/api/account.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction, errorMessage } from '#desktop/renderer/use-async-action.ts';
import { issueWords } from '#shared/api/issue-words.ts';
import { Problem } from '#shared/api/problem.ts';
import { siteEdit } from '#shared/api/site.ts';
import type { SiteRecord } from '#shared/model/site.ts';

import { useProof } from '../account/use-proof.tsx';
import { errorOf } from '../approvals/use-signing.ts';
import { changesOf, countChanges, typedOf, type TypedSite } from './typed-site.ts';

/** Errors by field. */
type FieldErrors = ReadonlyMap<string, string>;

/**
 * The typed settings until they are saved. `onSaved` gets the saved record. `isShown`: whether the form has a field; errors
 * of others are told in a message.
 */
export function useSiteForm(
  site: SiteRecord,
  onSaved: (site: SiteRecord) => void,
  isShown: (field: string) => boolean,
) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const proof = useProof();
  const start = typedOf(site);
  const [typed, setTyped] = useState(start);
  const [errors, setErrors] = useState<FieldErrors>(new Map());
  const refuse = (found: FieldErrors) => {
    setErrors(found);
    showToast(text.site.notSaved, 'danger');
  };
  const save = () => {
    const parsed = siteEdit.safeParse(changesOf(start, typed), { error: issueWords });
    if (!parsed.success) return refuse(ownErrors(parsed.error.issues));
    setErrors(new Map());
    const send = async (given?: GivenProof) => {
      const saved = await actions.changeSite(parsed.data, given);
      onSaved(saved);
      setTyped(typedOf(saved));
      showToast(text.site.saved);
    };
    const refused = (error: unknown) => {
      const found = serversErrors(error, typed, isShown);
      if (found.size > 0) refuse(found);
      else showToast(errorMessage(error), 'danger');
    };
    act(async () => {
      try {
        await send();
      } catch (error) {
        // The server decides which changes need a proof of identity.
        if (errorOf(error, ['current_password']) === undefined) refused(error);
        else proof.ask(send, refused);
      }
    });
  };
  return {
    typed,
    errors,
    busy,
    save,
    changes: countChanges(start, typed),
    discard: () => {
      setTyped(start);
      setErrors(new Map());
    },
    question: proof.question,
    change: (field: string, value: string | boolean) => setTyped((now) => ({ ...now, [field]: value })),
  };
}

type Finding = { path: readonly PropertyKey[]; code?: string | undefined; message: string };

/** If there are several errors for a field, the first is shown. */
function ownErrors(issues: readonly Finding[]): FieldErrors {
  return new Map(issues.toReversed().map((issue) => [fieldOf(issue.path), wordsOfFinding(issue)] as const));
}

/** The server's errors about fields of the form. */
function serversErrors(error: unknown, typed: TypedSite, isShown: (field: string) => boolean): FieldErrors {
  const found = error instanceof Problem ? (error.details.errors ?? []) : [];
  return new Map(
    found
      .filter(({ field }) => field in typed && isShown(field))
      .map(({ field, message }) => [field, refusedWords(message, 'invalid')] as const),
  );
}

/** The field for an issue of the schema; for a list, the whole field. */
function fieldOf([first, second]: readonly PropertyKey[]): string {
  return typeof second === 'string' ? `${String(first)}.${second}` : String(first);
}

/** The error of a field in words. */
function wordsOfFinding({ path, code, message }: Finding): string {
  if (fieldOf(path) === 'sign_on.certificates') return text.site.needCertificates;
  return code === 'invalid_type' ? text.site.wholeNumber : refusedWords(message, 'invalid');
}
