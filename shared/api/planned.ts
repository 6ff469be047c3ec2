import type { Method } from './endpoint.ts';

/** Routes of the specification that this version does not serve yet; they answer 501 (design: statuses). */
export const planned: { method: Method; path: string }[] = [
  ...routes('GET', [
    '/approvals/processes',
    '/approvals/process/search/{search_phrase}',
    '/approvals/process/{approval_processid}',
    '/approvals/requests',
    '/approvals/request/{approval_requestid}',
  ]),
  ...routes('POST', [
    '/approvals/process',
    '/approvals/request/sign/{approval_requestid}',
    '/approvals/request/sign/{approval_requestid}/token',
  ]),
  ...routes('PATCH', ['/approvals/process/{approval_processid}']),
  ...routes('PUT', ['/approvals/{wikiid}/{approval_processid}']),
  ...routes('DELETE', ['/approvals/{wikiid}', '/quizzes/associations']),
  ...routes('POST', [
    '/quizzes/getQuizzes',
    '/quizzes/questions',
    '/quizzes',
    '/quizzes/import',
    '/quizzes/delete',
    '/quizzes/associations',
    '/quizzes/attempt',
    '/quizzes/attach/guide',
    '/quizzes/sessions/save',
    '/quizzes/sessions/submit',
    '/quizzes/sessions/cancel',
  ]),
  ...routes('GET', [
    '/quizzes/{quizid}',
    '/quizzes/associations/{guideid}',
    '/quizzes/courseAssignments/{quizid}',
    '/quizzes/passingScore/{course_stageid}/{quizid}',
    '/quizzes/submissions/{sessionid}',
    '/quizzes/sessions',
  ]),
  ...routes('GET', [
    '/external_training_modules/current',
    '/external_training_modules/{id}/usage',
    '/external_training_modules/{id}/player',
    '/external_training_modules/{id}/imports',
    '/external_training_modules/imports/{importid}/progress',
    '/external_training_modules/imports/{importid}/preview',
  ]),
  ...routes('POST', [
    '/external_training_modules/drafts',
    '/external_training_modules/imports',
    '/external_training_modules/imports/{importid}/start/byUrl',
    '/external_training_modules/imports/{importid}/start/byUpload',
    '/external_training_modules/imports/{importid}/cancel',
  ]),
  ...routes('PUT', ['/external_training_modules/{id}/current', '/external_training_modules/{id}/draft']),
];

function routes(method: Method, paths: string[]): { method: Method; path: string }[] {
  return paths.map((path) => ({ method, path }));
}
