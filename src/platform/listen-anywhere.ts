/** What a kernel says that was started without IPv6, or whose IPv6 was switched off later. */
const noSuchFamily: ReadonlySet<string> = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL']);

/** Listens on every interface: those of both families, and those of IPv4 on a kernel that knows no other. */
export async function listenAnywhere(listen: (host: string) => Promise<unknown>): Promise<void> {
  try {
    await listen('::');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!noSuchFamily.has(code)) throw error;
    await listen('0.0.0.0');
  }
}
