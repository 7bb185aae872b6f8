import { DONE_EACH_TIME } from '../../clients/typescript/src/repeatable.ts';
import type { Contract } from './contract.ts';
import { operationsModule } from './operations.ts';
import { createTypes } from './types.ts';

const HEAD = (what: string, from = 'openapi/openapi.json'): string =>
  `"""${what}\n\nMade from ${from} by \`npm run client:types\`: changes belong there.\n"""`;

const repeatable = (head: string): string => {
  const paths = DONE_EACH_TIME.map((path) => `    "${path}",`).join('\n');
  return `${head}\n\nDONE_EACH_TIME = frozenset({\n${paths}\n})\n`;
};

/** The generated modules of clients/python, by their path in the repository. */
export function pythonModules(contract: Contract): Record<string, string> {
  const types = createTypes(contract.components.schemas);
  // operations first: what they take and answer are types, too
  const operations = operationsModule(contract, types, HEAD('A method for each operation of the contract.'));
  const folder = 'clients/python/src/forge_client';
  return {
    [`${folder}/_operations.py`]: `${operations}\n`,
    [`${folder}/_repeatable.py`]: repeatable(
      HEAD(
        'The POSTs that do something each time they come: they take no idempotency key.',
        'clients/typescript/src/repeatable.ts',
      ),
    ),
    [`${folder}/types.py`]: `${types.module(HEAD('What the service takes and answers.'))}\n`,
  };
}
