/** The actor of everything that the configuration source does; an admin is named as the privacy settings show the address. */
export const configurationActor = 'configuration';

/** The actor in whose name the handback runs: the admin where both hold, as in the summary. */
export function standDownActor(state: {
  readonly admin?: { readonly actor: string };
  readonly configuration?: unknown;
}): string | undefined {
  if (state.admin !== undefined) return state.admin.actor;
  return state.configuration === undefined ? undefined : configurationActor;
}

/** Who a handback's wake is initiated by. */
export function handbackActor(actor: string): string {
  return `${actor} (stand-down)`;
}

/** Who a hibernation is started by when a stand-down ends inside a hibernation window. */
export function standDownEndedBy(actor: string): string {
  return `${actor} (stand-down ended)`;
}
