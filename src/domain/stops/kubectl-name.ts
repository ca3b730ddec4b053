import { kindNames, rowOf } from '../kinds/kinds.ts';

/** The groups of Kubernetes itself that are domains, and of what its own special interest groups add. */
const groupsOfKubernetes = [
  'admissionregistration apiextensions apiregistration authentication authorization certificates coordination discovery events',
  'flowcontrol.apiserver internal.apiserver metrics networking gateway.networking node rbac.authorization resource scheduling',
  'storage snapshot.storage storagemigration',
].flatMap((line) => line.split(' ').map((name) => `${name}.k8s.io`));

/** Exactly these: each is a domain of the project that made the kind, so that nobody else can put something to click on there. */
const groups: ReadonlySet<string> = new Set([...groupsOfKubernetes, ...kindNames.map((kind) => rowOf(kind).group)]);

/** `kind.group/name` or `kind.version.group/name`, and nothing behind it that would make it a place: no further path, no query. */
const shape =
  /^[a-z\d]+(?:\.v\d+(?:(?:alpha|beta)\d+)?)?\.((?:[a-z\d-]+\.)+[a-z]+)\/[a-z\d](?:[a-z\d.-]*[a-z\d])?[.,;:!)'"]*$/i;

/** Whether it is how kubectl names an object, as in `rollout.argoproj.io/web`. */
export function isNamedAsByKubectl(word: string): boolean {
  const group = shape.exec(word)?.[1];
  return group !== undefined && groups.has(group.toLowerCase());
}
