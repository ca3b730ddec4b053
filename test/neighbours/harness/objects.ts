import { readFile } from 'node:fs/promises';
import { expect, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { fieldManager } from '../../../src/domain/names.ts';
import { type Answer, apply, ask } from '../../chart/harness/account-request.ts';
import type { RealCluster } from '../../cluster/harness/real-cluster.ts';

const soon = { timeout: 30_000, interval: 100 };
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Definition {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Gives the cluster what a neighbour's release defines, and waits until it is served. */
export async function define(cluster: RealCluster, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const documents = parseAllDocuments(await readFile(file, 'utf8')).map((one) => one.toJS() as Definition | null);
    for (const definition of documents) {
      if (definition?.kind !== 'CustomResourceDefinition') continue;
      const path = `${definitionsPath}/${definition.metadata.name}`;
      // Too large for the annotation of the client's apply.
      const applied = await apply(cluster.admin, `${path}?fieldManager=owner&force=true`, definition);
      expect(applied.message).toBe('');
      await vi.waitFor(async () => {
        const { body } = await ask(cluster.admin, 'GET', path);
        const { conditions = [] } = (body['status'] ?? {}) as { conditions?: { type: string; status: string }[] };
        expect(conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
      }, soon);
    }
  }
}

export type Place = string;

/** `apis/apps/v1/namespaces/shop/deployments/cart`, and the object there. */
export async function read(cluster: RealCluster, place: Place): Promise<Answer['body']> {
  const { status, message, body } = await ask(cluster.admin, 'GET', `/${place}`);
  if (status !== 200) throw new Error(`${place}: ${message}`);
  return body;
}

export async function create(cluster: RealCluster, collection: Place, object: object): Promise<void> {
  expect((await ask(cluster.admin, 'POST', `/${collection}`, object)).message).toBe('');
}

/** What an owner does with kubectl patch. */
export async function patch(cluster: RealCluster, place: Place, body: object): Promise<void> {
  expect((await ask(cluster.admin, 'PATCH', `/${place}?fieldManager=kubectl-patch`, body)).message).toBe('');
}

export async function remove(cluster: RealCluster, place: Place): Promise<void> {
  expect((await ask(cluster.admin, 'DELETE', `/${place}?propagationPolicy=Background`)).message).toBe('');
}

/** Everything of these objects that is their owner's: the spec and the annotations, byte for byte, without ours. */
export async function asOwned(
  cluster: RealCluster,
  places: readonly Place[],
): Promise<Readonly<Record<Place, string>>> {
  const found: Record<Place, string> = {};
  for (const place of places) found[place] = owned(await read(cluster, place));
  return found;
}

/**
 * Where the controller of Rollouts notes which generation of a Deployment it has seen: it scales that Deployment itself while a
 * Rollout comes up (`scaleDown`), and no count that is put back takes a generation back.
 */
const seenGeneration = 'rollout.argoproj.io/workload-generation';

function owned(body: Answer['body']): string {
  const { annotations = {} } = body['metadata'] as { annotations?: Record<string, string> };
  const theirs = Object.entries(annotations).filter(([name]) => !name.startsWith('svc.io/') && name !== seenGeneration);
  return JSON.stringify({ annotations: Object.fromEntries(theirs), spec: body['spec'] }, undefined, 1);
}

/** The names of our annotations on these objects. */
export async function ourMarks(cluster: RealCluster, places: readonly Place[]): Promise<readonly string[]> {
  const bodies = await Promise.all(places.map((place) => read(cluster, place)));
  const annotations = bodies.map(({ metadata }) => (metadata as { annotations?: object }).annotations ?? {});
  return annotations.flatMap((one) => Object.keys(one)).filter((name) => name.startsWith('svc.io/'));
}

/** Those of these objects of which the cluster says that the service wrote something. */
export async function written(cluster: RealCluster, places: readonly Place[]): Promise<readonly Place[]> {
  const found: Place[] = [];
  for (const place of places) {
    const { managedFields = [] } = (await read(cluster, place))['metadata'] as {
      managedFields?: { manager: string }[];
    };
    if (managedFields.some(({ manager }) => manager === fieldManager)) found.push(place);
  }
  return found;
}
