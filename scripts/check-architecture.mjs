// The arrows of the architecture, and that the check saw the modules: with an unsupported compiler the tool finds none
// and would pass.
import { readdirSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import rules from '../.dependency-cruiser.mjs';

const sources = readdirSync('src', { recursive: true }).filter((name) => String(name).endsWith('.ts'));
const { output } = await cruise(
  ['src'],
  { ruleSet: rules, validate: true, tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } },
  {
    extensions: ['.ts', '.js', '.json'],
    exportsFields: ['exports'],
    conditionNames: ['import', 'node', 'default'],
  },
  { tsConfig: extractTSConfig('./tsconfig.json') },
);
const seen = output.modules.filter((module) => module.source.startsWith('src/'));
for (const { rule, from, to } of output.summary.violations) {
  process.stdout.write(`${rule.name}: ${from} -> ${to}\n`);
}
process.stdout.write(
  `${seen.length} modules of ${sources.length} looked at, ${output.summary.violations.length} violations\n`,
);
if (seen.length < sources.length || output.summary.violations.length > 0) process.exit(1);
