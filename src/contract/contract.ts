// The way into this folder.

export { type ApiClient, ApiError, createClient } from './client.ts';
export type { AnswerOf, QueryOf } from './operations.ts';
export { type StreamEventName, type StreamEvents, streamEventNames } from './stream.ts';
