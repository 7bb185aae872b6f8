import type { Contract } from './contract.ts';
import { operationsModule } from './operations.ts';
import { createTypes } from './types.ts';

const HEAD = (what: string): string =>
  `"""${what}\n\nMade from openapi/openapi.json by \`npm run client:types\`: changes belong there.\n"""`;

/** The generated modules of clients/python, by their path in the repository. */
export function pythonModules(contract: Contract): Record<string, string> {
  const types = createTypes(contract.components.schemas);
  // operations first: what they take and answer are types, too
  const operations = operationsModule(contract, types, HEAD('A method for each operation of the contract.'));
  const folder = 'clients/python/src/forge_client';
  return {
    [`${folder}/_operations.py`]: `${operations}\n`,
    [`${folder}/types.py`]: `${types.module(HEAD('What the service takes and answers.'))}\n`,
  };
}
