// The arrows of the architecture: every import in src/ is one that scripts/rooms.mjs allows, and docs/architecture.md
// shows the same table. Also that the check saw every module: with an unsupported compiler the tool finds none and
// would pass.
//
//   node scripts/check-architecture.mjs [--write] [FOLDER]
//
// `--write` renews the table in the docs; FOLDER holds another `src` to be checked, for the test of this check.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import rules from '../.dependency-cruiser.mjs';
import { rooms } from './rooms.mjs';

const PAGE = 'docs/architecture.md';
const TABLE = /(<!-- rooms -->\n)[^]*?(<!-- \/rooms -->)/;

const say = (line) => process.stdout.write(`${line}\n`);

/** The allow-list as a Markdown table. */
function roomsTable() {
  const shown = (target) =>
    target.startsWith('types:') ? `${target.replace('types:', '')} (types)` : target;
  const rows = rooms.map(
    ({ name, purpose, imports }) => `| ${name} | ${purpose} | ${imports.map(shown).join(', ') || 'nothing'} |`,
  );
  return ['| room | what it is for | may import |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

/** Every source file is in exactly one room. */
function misplaced(sources) {
  return sources
    .map((source) => [source, rooms.filter(({ path }) => new RegExp(path).test(source)).length])
    .filter(([, count]) => count !== 1)
    .map(([source, count]) => `${source}: in ${count} rooms of scripts/rooms.mjs instead of one`);
}

/** A room imports rooms above it in the list, so that no two lean on each other. */
function upward() {
  const above = (index, target) =>
    rooms.slice(0, index).some(({ name }) => name === target.replace('types:', ''));
  return rooms.flatMap(({ name, imports }, index) =>
    imports
      .filter((target) => !above(index, target))
      .map((target) => `scripts/rooms.mjs: ${name} may not import ${target}, which does not stand above it`),
  );
}

/** The imports that are refused, a line each. */
async function refused(root, sources) {
  process.chdir(root);
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
  const seen = output.modules.filter((module) => module.source.startsWith('src/')).length;
  say(`${seen} modules of ${sources.length} looked at`);
  const unseen = seen < sources.length ? ['the tool did not see all modules'] : [];
  return [
    ...unseen,
    ...output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
  ];
}

const arguments_ = process.argv.slice(2);
const home = process.cwd();
const root = arguments_.find((argument) => !argument.startsWith('--')) ?? home;
const page = readFileSync(join(home, PAGE), 'utf8');
const renewed = page.replace(TABLE, (_, start, end) => `${start}\n${roomsTable()}\n${end}`);
if (arguments_.includes('--write')) writeFileSync(join(home, PAGE), renewed);
const stale =
  renewed === page || arguments_.includes('--write')
    ? []
    : [`${PAGE} shows another table: run node scripts/check-architecture.mjs --write`];

const sources = readdirSync(join(root, 'src'), { recursive: true })
  .map((name) => `src/${name}`)
  .filter((name) => name.endsWith('.ts'));
const faults = [...stale, ...upward(), ...misplaced(sources), ...(await refused(root, sources))];
for (const fault of faults) say(fault);
say(`${faults.length} violations`);
if (faults.length > 0) process.exitCode = 1;
