import { z } from 'zod';

import {
  approvalProcess,
  approvalProcessDetails,
  approvalRequest,
  approvalStatus,
  stageMeaning,
} from '#shared/model/approval.ts';

import { del, get, idText, limit, offset, order, patch, post, put, querySwitch } from './endpoint.ts';

const id = z.int().positive();
const processId = z.strictObject({ approval_processid: idText });
const requestId = z.strictObject({ approval_requestid: idText });
const pages = z.object({ limit, offset });

/** A stage in a request body. With the id of an existing stage, it edits that stage. */
const newStage = z.strictObject({
  approval_stageid: id.optional(),
  name: z.string().trim().min(1).max(200),
  meaning: stageMeaning.default('approved'),
  required_approvals: z.int().min(1).max(100).default(1),
  userids: z.array(id).max(200).default([]),
  teamids: z.array(id).max(50).default([]),
});
export type NewStage = z.output<typeof newStage>;

const stages = z.array(newStage).min(1).max(20);
const name = z.string().trim().min(1).max(200);
const description = z.string().max(10_000);

const newProcess = z.strictObject({ name, description: description.default(''), stages });
export type NewProcess = z.output<typeof newProcess>;

const processEdit = z.strictObject({
  name: name.optional(),
  description: description.optional(),
  stages: stages.optional(),
});
export type ProcessEdit = z.output<typeof processEdit>;

export const requestFilter = z.object({
  status: approvalStatus.optional(),
  guideid: idText.optional(),
  approval_processid: idText.optional(),
  /** Only requests that the caller can sign now. */
  waiting: querySwitch,
  order: order.default('DESC'),
  limit,
  offset,
});
export type RequestFilter = z.output<typeof requestFilter>;

/** `revision_hash`: the version that the person saw; 409 when the request is about another one. */
const decision = {
  decision: z.enum(['approve', 'review', 'reject']),
  comment: z.string().trim().max(2000).default(''),
  revision_hash: z.string().max(200).optional(),
};
const signature = z.strictObject({ ...decision, password: z.string().min(1).max(1000) });
const tokenSignature = z.strictObject({ ...decision, token: z.string().min(1).max(1000) });
export type Decision = Pick<z.output<typeof signature>, keyof typeof decision>;

/** Approval processes, requests and signatures (spec, "Approvals"; the spec shows no bodies; as on live servers). */
export const approvals = {
  processes: get('/approvals/processes', {
    summary: 'List approval processes',
    query: pages,
    result: z.array(approvalProcess),
    refuses: [403],
  }),
  searchProcesses: get('/approvals/process/search/{search_phrase}', {
    summary: 'Search approval processes by name',
    params: z.strictObject({ search_phrase: z.string() }),
    query: pages,
    result: z.array(approvalProcess),
    refuses: [403],
  }),
  process: get('/approvals/process/{approval_processid}', {
    summary: 'Read an approval process with the requests that wait for signatures',
    params: processId,
    result: approvalProcessDetails,
    refuses: [403, 404],
  }),
  createProcess: post('/approvals/process', {
    summary: 'Create an approval process',
    access: 'admin',
    status: 201,
    body: newProcess,
    result: approvalProcess,
  }),
  patchProcess: patch('/approvals/process/{approval_processid}', {
    summary: 'Edit an approval process; requests that are under way keep their stages',
    access: 'admin',
    params: processId,
    body: processEdit,
    result: approvalProcess,
    tagged: approvalProcessDetails,
  }),
  setDefault: put('/approvals/{wikiid}/{approval_processid}', {
    summary: 'Set the process that new guides under a category begin with; existing guides are unaffected',
    access: 'admin',
    params: z.strictObject({ wikiid: idText, approval_processid: idText }),
    result: z.strictObject({ wikiid: z.int(), approval_processid: z.int() }),
  }),
  removeDefault: del('/approvals/{wikiid}', {
    summary: "Remove a category's default process; existing guides are unaffected",
    access: 'admin',
    status: 204,
    params: z.strictObject({ wikiid: idText }),
  }),
  requests: get('/approvals/requests', {
    summary: 'List approval requests, newest first',
    query: requestFilter,
    result: z.array(approvalRequest),
    refuses: [403],
  }),
  request: get('/approvals/request/{approval_requestid}', {
    summary: 'Read an approval request with its process, its stages and what was signed',
    params: requestId,
    result: approvalRequest,
    refuses: [404],
  }),
  sign: post('/approvals/request/sign/{approval_requestid}', {
    summary: "Approve, review or reject with the caller's password",
    params: requestId,
    body: signature,
    proofs: ['password'],
    result: approvalRequest,
    conflict: approvalRequest,
    transaction: 'handler',
  }),
  signWithToken: post('/approvals/request/sign/{approval_requestid}/token', {
    summary: 'Approve, review or reject with a single sign-on that was made for one signature',
    params: requestId,
    body: tokenSignature,
    proofs: ['token'],
    result: approvalRequest,
    conflict: approvalRequest,
    transaction: 'handler',
  }),
};
