// The way into this folder.

export { type ApiClient, ApiError, createClient, type InputOf, type RequestParts } from './client.ts';
export { type Auth, type Endpoint, type EndpointId, endpointIds, endpoints, errorsOf } from './endpoints.ts';
export { type ErrorBody, type ErrorCode, errorCatalogue, isErrorCode, plainMessages, statusesOf } from './errors.ts';
export type { AnswerOf, BodyOf, ParamsOf, QueryOf } from './operations.ts';
export { heartbeatMs, replayedEvents, type StreamEventName, type StreamEvents, streamEventNames } from './stream.ts';
