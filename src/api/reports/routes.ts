import type { AnswerOf } from '../../contract/operations.ts';
import type { Handlers } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import { reportOf } from './features.ts';

export function reportHandlers(ports: ApiPorts): Pick<Handlers, 'insights' | 'costs'> {
  return {
    insights: async () =>
      ports.config().insights.enabled ? reportOf(ports.features.insights) : offReport('config.insights.enabled'),
    costs: async () =>
      ports.config().awsCosts.enabled ? reportOf(ports.features.costs) : offReport('config.awsCosts.enabled'),
  };
}

function offReport(key: string): AnswerOf<'insights'> {
  return { enabled: false, available: false, message: `${key} is false.`, report: null };
}
