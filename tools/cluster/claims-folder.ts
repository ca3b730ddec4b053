import { chmod, mkdir } from 'node:fs/promises';

/** Where the controller-manager puts what claims ask for: a path of its own choice, the same for every user of the machine. */
const claimsFolder = '/tmp/hostpath_pv';

/** The first to need it would have it for himself, and the claims of the next user would never be bound. */
export async function openClaimsFolder(folder = claimsFolder): Promise<void> {
  await mkdir(folder, { recursive: true });
  try {
    await chmod(folder, 0o1777);
  } catch (error) {
    // Somebody else's: whoever has it opened it, or nobody but him can.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
