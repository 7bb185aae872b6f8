import type { TextFormat } from '../format.ts';
import { TEXT_REPAIR_ADVICE } from '../text/format.ts';

/** YAML, of one document or several, templates included. */
export const yamlFormat: TextFormat<'yaml'> = {
  fileTypes: [
    { extension: '.yaml', mediaType: 'application/yaml' },
    { extension: '.yml', mediaType: 'application/yaml' },
  ],
  convert: async (bytes) => (await import('./convert.ts')).convertYaml(bytes),
  repairAdvice: TEXT_REPAIR_ADVICE,
  loadParser: async () => (await import('./structure.ts')).yamlStructure,
  hasPages: false,
};
