import { settingsView } from '../../config/config.ts';
import type { Brand } from '../branding/branding.ts';
import type { Handlers } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';

export function settingsHandlers(ports: ApiPorts, brand: Brand): Pick<Handlers, 'settings'> {
  return {
    settings: async () => ({
      settings: [...settingsView(ports.config())],
      refused: ports.configRefusal() ?? null,
      brandRefused: (await brand.problem()) ?? null,
      warnings: [...ports.compiled().holidays.problems],
    }),
  };
}
