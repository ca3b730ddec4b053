import type { RecordedRequest } from '../../support/recording-server.ts';
import type { Answer } from './outside.ts';

export interface DatabaseCall {
  readonly action: string;
  readonly at: number;
  readonly request: RecordedRequest;
}

/** The database service of a cloud, as far as our processes ask it: one database, which does at once what it is told. */
export class FakeRds {
  readonly calls: DatabaseCall[] = [];
  readonly #status = new Map<string, string>();

  readonly answer: Answer = (request, response) => {
    const query = new URLSearchParams(request.body);
    const action = query.get('Action') ?? '';
    this.calls.push({ action, at: performance.now(), request });
    const kind = action.endsWith('Cluster') || action.endsWith('Clusters') ? 'Cluster' : 'Instance';
    const identifier = identifierOf(query, kind);
    if (action.startsWith('Stop')) this.#status.set(identifier, 'stopped');
    if (action.startsWith('Start')) this.#status.set(identifier, 'available');
    response.setHeader('content-type', 'text/xml');
    response.end(answerText(action, kind, identifier, this.#status.get(identifier) ?? 'available'));
  };

  /** The last call of this name. */
  last(action: string): DatabaseCall | undefined {
    return this.calls.findLast((call) => call.action === action);
  }
}

function identifierOf(query: URLSearchParams, kind: string): string {
  return (
    query.get(`DB${kind}Identifier`) ??
    query.get('Filters.Filter.1.Values.Value.1') ??
    query.get('Filters.Filter.1.Values.member.1') ??
    ''
  );
}

function answerText(action: string, kind: string, identifier: string, status: string): string {
  const statusField = kind === 'Instance' ? 'DBInstanceStatus' : 'Status';
  const one = `<DB${kind}><DB${kind}Identifier>${identifier}</DB${kind}Identifier><${statusField}>${status}</${statusField}><Engine>${kind === 'Instance' ? 'postgres' : 'aurora-postgresql'}</Engine><DBInstanceClass>db.t4g.medium</DBInstanceClass><EngineMode>provisioned</EngineMode></DB${kind}>`;
  const content = action.startsWith('Describe') ? `<DB${kind}s>${one}</DB${kind}s>` : one;
  return `<${action}Response xmlns="http://rds.amazonaws.com/doc/2014-10-31/"><${action}Result>${content}</${action}Result></${action}Response>`;
}
