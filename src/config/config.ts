// The way into this folder: what the processes and tools use of the configuration.

export { type ConfigError, type ConfigRefusal, formatConfigErrors } from './config-error.ts';
export { type Config, configGroups, configNode } from './config-node.ts';
export { diffConfig } from './diff-config.ts';
export { defaultConfig, type ParsedConfig, parseConfig } from './parse-config.ts';
export { configTextKey, parseConfigText } from './parse-config-text.ts';
export { type Setting, settingsView } from './settings-view.ts';
