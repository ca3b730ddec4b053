import { readFile, writeFile } from 'node:fs/promises';
import { communityPublicKey } from '../../domain/license/community.ts';
import { formatLicense, type License, licensePayload, readBlock, readPayload } from '../../domain/license/license.ts';
import { generateLicenseKeys, signLicense, verifyLicenseSignature } from '../../platform/license-keys.ts';
import {
  type Command,
  type CommandContext,
  CommandFailed,
  type ExitCode,
  exitCodes,
  print,
} from '../terminal/command.ts';
import { oneLine, timeText } from '../terminal/layout.ts';

export const license: Command = {
  usage:
    'license [keygen FILE | issue --key FILE --licensee NAME [--id ID] [--expires TIME] | verify FILE [--key PUBLIC]]',
  summary: 'The license in force; or make keys, issue a license, check one',
  words: { keygen: [], issue: ['key', 'licensee', 'id', 'expires'], verify: ['key'] },
  operands: { '': 1, keygen: 1, verify: 1 },
  run(context) {
    const [what] = context.args;
    if (what === undefined) return inForce(context);
    if (what === 'keygen') return keygen(context);
    if (what === 'issue') return issue(context);
    if (what === 'verify') return verify(context);
    throw new CommandFailed(exitCodes.error, `svc license ${what} is not known; there are keygen, issue and verify`);
  },
};

async function inForce(context: CommandContext): Promise<ExitCode> {
  const { client } = await context.connect();
  const answer = await client.license();
  const expires = answer.expiresAt === undefined ? [] : [`Expires ${timeText(answer.expiresAt)}`];
  print(context, answer, [`${answer.verdict}: ${oneLine(answer.reason)}`, ...expires]);
  return exitCodes.done;
}

async function keygen(context: CommandContext): Promise<ExitCode> {
  const [, file] = context.args;
  if (file === undefined)
    throw new CommandFailed(exitCodes.error, 'Name the file for the private key: svc license keygen FILE');
  const { publicKey, privateKey } = generateLicenseKeys();
  // Never over another key: every license that it signed would be lost with it.
  await writeFile(file, privateKey, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(exitCodes.error, error.code === 'EEXIST' ? `${file} exists already` : error.message);
  });
  print(context, { publicKey, privateKeyFile: file }, [
    `The private key is in ${file}, for you alone.`,
    'Public key:',
    publicKey,
  ]);
  return exitCodes.done;
}

async function issue(context: CommandContext): Promise<ExitCode> {
  const { flags, clock } = context;
  if (flags.key === undefined || flags.licensee === undefined) {
    throw new CommandFailed(exitCodes.error, 'Give the private key and the licensee: --key FILE --licensee NAME');
  }
  const expiresAt = flags.expires === undefined ? undefined : Date.parse(flags.expires);
  if (Number.isNaN(expiresAt)) {
    throw new CommandFailed(
      exitCodes.error,
      `--expires: ${JSON.stringify(flags.expires)} is not a time such as 2027-12-31T00:00:00Z`,
    );
  }
  const issuedAt = clock.now();
  const content: License = {
    id: flags.id ?? `license-${new Date(issuedAt).toISOString().slice(0, 10)}`,
    licensee: flags.licensee,
    issuedAt,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  const payload = licensePayload(content);
  const text = formatLicense({ payload, signature: signLicense(await textOf(flags.key), payload) });
  print(context, { ...content, license: text }, [text.trimEnd()]);
  return exitCodes.done;
}

async function verify(context: CommandContext): Promise<ExitCode> {
  const [, file] = context.args;
  if (file === undefined)
    throw new CommandFailed(exitCodes.error, 'Name the file of the license: svc license verify FILE');
  const block = readBlock(await textOf(file));
  if (!block.ok) throw new CommandFailed(exitCodes.refused, block.message);
  const { payload, signature } = block.value;
  const publicKey = context.flags.key ?? communityPublicKey;
  if (!verifyLicenseSignature(publicKey, payload, signature)) {
    throw new CommandFailed(exitCodes.refused, 'The signature is not that of this key.');
  }
  const read = readPayload(payload);
  if (!read.ok) throw new CommandFailed(exitCodes.refused, read.message);
  const { id, licensee, expiresAt } = read.value;
  const expired = expiresAt !== undefined && expiresAt <= context.clock.now();
  const until = expiresAt === undefined ? 'without an end' : `until ${timeText(new Date(expiresAt).toISOString())}`;
  print(context, { ...read.value, expired }, [
    `Good: ${oneLine(id)} for ${oneLine(licensee)}, ${until}.`,
    ...(expired ? ['It has expired.'] : []),
  ]);
  return expired ? exitCodes.refused : exitCodes.done;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandFailed(
      exitCodes.error,
      `${file} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}
