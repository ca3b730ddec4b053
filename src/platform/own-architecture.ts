import type { Architecture } from '../domain/workload.ts';

/** Of the node that this process runs on. */
export const ownArchitecture: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
