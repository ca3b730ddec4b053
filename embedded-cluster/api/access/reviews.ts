import { arrayOf, type JsonObject, objectOf, textOf } from '../../store/json-value.ts';
import { type ApiResponse, type Call, jsonResponse } from '../request/call.ts';
import { objectInBody } from '../request/request-body.ts';
import { isMaster } from './authorizer.ts';
import type { Identity } from './identity.ts';

/** Questions about who may do what, and about who asks. Answered, never stored. */
export function review(call: Call): ApiResponse {
  const body = objectInBody(call);
  const { kind, group, version } = call.type;
  const answer = {
    kind,
    apiVersion: `${group}/${version}`,
    metadata: {},
    spec: body['spec'] ?? {},
    status: statusOf(call, body),
  };
  return jsonResponse(201, JSON.stringify(answer));
}

function statusOf(call: Call, body: JsonObject): JsonObject {
  const spec = objectOf(body['spec']);
  switch (call.type.kind) {
    case 'SelfSubjectAccessReview':
      return access(call, call.identity, spec);
    case 'SubjectAccessReview':
      return access(call, { user: textOf(spec['user']) ?? '', groups: arrayOf(spec['groups']).map(String) }, spec);
    case 'SelfSubjectRulesReview':
      return rules(call, textOf(spec['namespace']) ?? 'default');
    case 'TokenReview':
      return token(call, textOf(spec['token']) ?? '');
    default:
      return { userInfo: userInfo(call.identity) };
  }
}

function access(call: Call, identity: Identity, spec: JsonObject): JsonObject {
  const { authorizer } = call.services;
  const visit = spec['nonResourceAttributes'];
  const asked = objectOf(visit ?? spec['resourceAttributes']);
  const field = (name: string) => textOf(asked[name]) ?? '';
  const verdict =
    visit === undefined
      ? authorizer.mayAccess(identity, {
          verb: field('verb'),
          group: field('group'),
          resource: field('resource'),
          subresource: field('subresource'),
          name: field('name'),
          namespace: field('namespace') === '' ? undefined : field('namespace'),
        })
      : authorizer.mayVisit(identity, field('verb'), field('path'));
  return { allowed: verdict.allowed, ...(verdict.reason === '' ? {} : { reason: verdict.reason }) };
}

function rules(call: Call, namespace: string): JsonObject {
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  if (isMaster(call.identity)) {
    return {
      resourceRules: [everything],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: false,
    };
  }
  const granted = call.services.authorizer.roles
    .of(call.identity)
    .rules.filter((grant) => grant.namespace === undefined || grant.namespace === namespace)
    .map(({ rule }) => rule);
  return {
    resourceRules: granted.filter((rule) => rule['resources'] !== undefined),
    nonResourceRules: granted.filter((rule) => rule['nonResourceURLs'] !== undefined),
    incomplete: false,
  };
}

function token(call: Call, text: string): JsonObject {
  const identity = call.services.tokens.identityOf(text);
  if (identity === undefined) return { authenticated: false, error: 'the token is unknown or has expired' };
  return { authenticated: true, user: userInfo(identity) };
}

function userInfo({ user, groups, uid }: Identity): JsonObject {
  return { username: user, ...(uid === undefined ? {} : { uid }), groups };
}
