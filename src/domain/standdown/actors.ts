/** Who a handback's wake is initiated by. */
export function handbackActor(actor: string): string {
  return `${actor} (stand-down)`;
}

/** Who a hibernation is started by when a stand-down ends inside a hibernation window. */
export function standDownEndedBy(actor: string): string {
  return `${actor} (stand-down ended)`;
}
