import type { ask } from '../harness/account-request.ts';

export type Account = 'controller' | 'api';
export type Method = Parameters<typeof ask>[1];
/** Paths name namespaces and pods by their part: `{shop}` holds the targets, `{svc}` is the release's own. */
export type Attempt = readonly [Account, Method, string, object?];

export const web = '/apis/apps/v1/namespaces/{shop}/deployments/web';
export const db = '/apis/apps/v1/namespaces/{shop}/statefulsets/db';
export const report = '/apis/batch/v1/namespaces/{shop}/cronjobs/report';
export const redirected = '/api/v1/namespaces/{shop}/services/web';
export const state = '/api/v1/namespaces/{svc}/configmaps/svc-state';
export const configMapsHere = '/api/v1/namespaces/{svc}/configmaps';
export const satellites = '/apis/apps/v1/namespaces/{shop}/deployments';
