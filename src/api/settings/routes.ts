import { settingsView } from '../../config/config.ts';
import type { ApiPorts } from '../ports.ts';
import type { Handlers } from '../server/call.ts';

export function settingsHandlers(ports: ApiPorts): Pick<Handlers, 'settings'> {
  return {
    settings: () => ({
      settings: [...settingsView(ports.config())],
      refused: ports.configRefusal() ?? null,
      warnings: [...ports.compiled().holidays.problems],
    }),
  };
}
