import { patternFormat } from './pattern-format.ts';
import { quote } from './quote.ts';

// How a kind that the table does not have is described. What passes here stands in rights and in rules of the cluster as it is.

const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

export const kindName = patternFormat({
  name: 'kind',
  rule: 'letters and digits, as in `kind` of its manifests',
  pattern: '^[A-Za-z][A-Za-z0-9]*$',
  maxLength: 63,
  otherwise: 'is not a kind: letters and digits, as in kind of its manifests, such as Pool',
  diagnose: (text) =>
    text.includes('/') || text.includes('.')
      ? `${quote(text)} has a group; write the kind alone, such as Pool`
      : undefined,
});

/** Kubernetes' own kinds are named or left alone; only custom resources are described. */
export const apiGroup = patternFormat({
  name: 'API group',
  rule: 'a domain in lower case such as `example.com`; none of Kubernetes itself',
  pattern: `^${dnsLabel}(\\.${dnsLabel})+$`,
  maxLength: 253,
  otherwise: 'is not a group of custom resources such as example.com, in lower case',
  diagnose(text) {
    if (text.includes('/')) return `${quote(text)} has a version; write the group alone, and the version in version`;
    const ofKubernetes = text.endsWith('.k8s.io') || !text.includes('.');
    return ofKubernetes
      ? `${quote(text)} is a group of Kubernetes itself, whose kinds cannot be described; write the group of a custom resource, such as example.com`
      : undefined;
  },
});

export const apiVersion = patternFormat({
  name: 'API version',
  rule: 'such as `v1` or `v1alpha1`',
  pattern: '^v[0-9]+((alpha|beta)[0-9]+)?$',
  maxLength: 32,
  otherwise: 'is not a version such as v1 or v1alpha1',
  diagnose: (text) => (text.includes('/') ? `${quote(text)} has a group; write the version alone` : undefined),
});

export const pluralName = patternFormat({
  name: 'plural',
  rule: 'lower case, as in `kubectl api-resources`',
  pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$',
  maxLength: 63,
  otherwise: 'is not a plural such as pools, in lower case',
  diagnose(text) {
    if (text.includes('/')) return `${quote(text)} names a subresource; write the plural alone, such as pools`;
    if (text.includes('.')) return `${quote(text)} has a group; write the plural alone, such as pools`;
    return text === text.toLowerCase() ? undefined : `${quote(text)} has capitals; write ${quote(text.toLowerCase())}`;
  },
});

/** RFC 6901. A list has no place of its own: who reorders it would have another element changed. */
export const specPointer = patternFormat({
  name: 'JSON pointer',
  rule: 'a JSON pointer (RFC 6901) below `/spec`, not into a list, such as `/spec/replicas`',
  pattern: '^/spec(/[A-Za-z]([A-Za-z0-9._-]|~[01])*)+$',
  maxLength: 253,
  otherwise: 'is not a JSON pointer to a field of the spec, such as /spec/replicas',
  diagnose(text) {
    const dotted = /^\.?spec\.([A-Za-z.]+)$/.exec(text)?.[1];
    if (dotted !== undefined)
      return `${quote(text)} is no JSON pointer; write ${quote(`/spec/${dotted.replaceAll('.', '/')}`)}`;
    if (/^\/(metadata|status)(\/|$)/.test(text))
      return `${quote(text)} is not of the spec; write a place below /spec, such as /spec/replicas`;
    if (/\/([0-9]+|-)(\/|$)/.test(text)) return `${quote(text)} goes into a list; write a field outside of lists`;
    return undefined;
  },
});

/** It stands between quotes in a rule of the admission policy. */
export const sleepText = patternFormat({
  name: 'value',
  rule: '`true`, `false`, a whole number from 0 to 1000000, or letters, digits and ` _.:/+-`',
  pattern: '^[A-Za-z0-9_.:/+-]([A-Za-z0-9_.:/+ -]*[A-Za-z0-9_.:/+-])?$',
  maxLength: 253,
  otherwise: 'is not a value that can be set: letters, digits, spaces between them and _.:/+-',
});

export const annotationName = patternFormat({
  name: 'annotation',
  rule: 'the key of an annotation with its domain, not of this service nor of Kubernetes',
  pattern: `^${dnsLabel}(\\.${dnsLabel})+/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`,
  maxLength: 317,
  otherwise: 'is not the key of an annotation with its domain, such as example.com/paused',
  diagnose(text) {
    const domain = text.split('/')[0] ?? '';
    const taken = ['svc.io', 'kubernetes.io', 'k8s.io'].find((one) => domain === one || domain.endsWith(`.${one}`));
    return taken === undefined
      ? undefined
      : `${quote(text)} is reserved for ${taken === 'svc.io' ? 'this service' : 'Kubernetes'}; write an annotation of the operator of the kind`;
  },
});

export const conditionType = patternFormat({
  name: 'condition',
  rule: 'the type of a condition in `status.conditions`, such as `Ready`',
  pattern: '^([a-z0-9.-]+/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$',
  maxLength: 316,
  otherwise: 'is not the type of a condition such as Ready',
});
