// The way into this folder: what the processes and tools use of the configuration.

export { type ConfigRefusal, formatConfigErrors } from './config-error.ts';
export type { Config } from './config-node.ts';
export { diffConfig } from './diff-config.ts';
export { parseConfig } from './parse-config.ts';
export { configTextKey, parseConfigText } from './parse-config-text.ts';
export { settingsView } from './settings-view.ts';
