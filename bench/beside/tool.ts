import type { Way } from './progress.ts';

/** Something that puts a fleet to sleep and wakes it, as the benchmark drives it. One run: prepare, go down, go up, close. */
export interface Tool {
  readonly name: string;
  /** Starts what runs before it is asked for anything. */
  prepare(): Promise<void>;
  /** Resolves when it has been asked: from then on somebody waits for it. */
  go(way: Way): Promise<void>;
  /** The way is over; what ran for it alone ends. */
  arrived(way: Way): Promise<void>;
  /** SIGKILL, to all of it at once. */
  kill(): Promise<void>;
  /** After a kill: started again, on the same way. */
  again(way: Way): Promise<void>;
  /** What is measured with all that it has started. */
  roots(): readonly number[];
  close(): Promise<void>;
}
