import type { ServiceAccountIdentity } from '../../test/cluster/harness/service-account.ts';
import { Program } from '../transitions/program.ts';
import type { PausedFleet } from './paused-fleet.ts';
import type { Way } from './progress.ts';
import type { Tool } from './tool.ts';

const concurrency = 50;

/** The same patches as ours over as many connections, and nothing else: it is told what to send, and keeps the counts on the objects. */
export class PlainLoop implements Tool {
  readonly name = 'plain loop';
  readonly #fleet: PausedFleet;
  readonly #account: ServiceAccountIdentity;
  readonly #bundle: string;
  #loop: Program | undefined;

  constructor(fleet: PausedFleet, account: ServiceAccountIdentity, bundle: string) {
    this.#fleet = fleet;
    this.#account = account;
    this.#bundle = bundle;
  }

  async prepare(): Promise<void> {
    this.#loop = new Program(this.#bundle, { started: 'plainly' });
  }

  async go(way: Way): Promise<void> {
    const patches = await this.#fleet.patches(way);
    const { url: server } = this.#fleet.plane;
    this.#loop?.tell({ server, ca: this.#fleet.ca, token: this.#account.token, concurrency, patches });
  }

  async arrived(): Promise<void> {
    await this.#loop?.hear('bare');
  }

  async kill(): Promise<void> {
    await this.#loop?.stop();
  }

  async again(way: Way): Promise<void> {
    await this.prepare();
    await this.go(way);
  }

  roots(): readonly number[] {
    return this.#loop?.pid === undefined ? [] : [this.#loop.pid];
  }

  async close(): Promise<void> {
    await this.#loop?.stop();
    this.#loop = undefined;
  }
}
