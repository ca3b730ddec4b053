import type { SSMClient } from '@aws-sdk/client-ssm';
import type { Parameters } from '../../ports/parameters.ts';
import { cloudError } from './cloud-error.ts';
import { type CallLog, type Connection, clientOptions } from './connection.ts';
import { logCalls } from './request-log.ts';

/** Parameters of the standard tier, which costs nothing and holds 4,096 bytes each. */
export async function parameterStore(connection: Connection, log: CallLog): Promise<Parameters & { destroy(): void }> {
  const sdk = await import('@aws-sdk/client-ssm');
  const client: SSMClient = new sdk.SSMClient({ ...clientOptions(connection) });
  logCalls(client, log);
  const tagList = (tags: Readonly<Record<string, string>>) =>
    Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  const parameter = (Name: string, Value: string) =>
    ({
      Name,
      Value,
      Type: 'String',
      Tier: 'Standard',
      Description: 'Statistics of the cluster hibernation service',
    }) as const;

  async function create(name: string, text: string, tags: Readonly<Record<string, string>>): Promise<boolean> {
    try {
      // Tags go with the creation: a policy may allow no untagged parameter, not even for a moment.
      const Tags = tagList(tags);
      await client.send(
        new sdk.PutParameterCommand({ ...parameter(name, text), ...(Tags.length === 0 ? {} : { Tags }) }),
      );
      return true;
    } catch (error) {
      if (cloudError(error).code.includes('ParameterAlreadyExists')) return false;
      throw error;
    }
  }

  return {
    async read(name) {
      try {
        const { Parameter } = await client.send(new sdk.GetParameterCommand({ Name: name }));
        return Parameter?.Value;
      } catch (error) {
        if (cloudError(error).code.includes('ParameterNotFound')) return undefined;
        throw error;
      }
    },
    async write(name, text, tags) {
      if (await create(name, text, tags)) return;
      // The cloud takes tags and an overwriting in two calls only.
      await client.send(new sdk.PutParameterCommand({ ...parameter(name, text), Overwrite: true }));
      const Tags = tagList(tags);
      if (Tags.length === 0) return;
      await client.send(new sdk.AddTagsToResourceCommand({ ResourceType: 'Parameter', ResourceId: name, Tags }));
    },
    destroy: () => client.destroy(),
  };
}
