// The arrows of the architecture: every import in src/ and in the client is one that scripts/rooms.mjs allows, and docs/architecture.md
// shows the same picture and table. Also that the check saw every module: with an unsupported compiler the tool finds none and
// would pass.
//
//   node scripts/check-architecture.mjs [--write] [FOLDER]
//
// `--write` renews them in the docs; FOLDER holds another `src` to be checked, for the test of this check.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import rules from '../.dependency-cruiser.mjs';
import { rooms } from './rooms.mjs';

const PAGE = 'docs/architecture.md';
/** Where rooms are. */
const FOLDERS = ['src', 'clients/typescript/src'];
const PICTURE_AND_TABLE = /(<!-- rooms -->\n)[\s\S]*?(<!-- \/rooms -->)/;

const say = (line) => process.stdout.write(`${line}\n`);

const nameOf = (target) => target.replace('types:', '');

/** All rooms that can be reached from a room, over one arrow or more. */
function reachable(name) {
  const { imports } = rooms.find((room) => room.name === name);
  return new Set(imports.map(nameOf).flatMap((target) => [target, ...reachable(target)]));
}

/**
 * The rooms and their arrows as a Mermaid graph. An arrow that follows from others is left out, and so are those to the
 * rooms that nearly everyone uses: the table has them all.
 */
function roomsPicture() {
  const everyone = new Set(['utilities', 'contract', 'text']);
  const arrows = rooms.flatMap(({ name, imports }) => {
    const targets = imports.map(nameOf).filter((target) => !everyone.has(target));
    const implied = new Set(targets.flatMap((target) => [...reachable(target)]));
    return targets.filter((target) => !implied.has(target)).map((target) => `  ${name} --> ${target}`);
  });
  return ['```mermaid', 'graph TD', ...arrows, '```', ''].join('\n');
}

/** The allow-list as a Markdown table. */
function roomsTable() {
  const shown = (target) => (target.startsWith('types:') ? `${nameOf(target)} (types)` : target);
  const rows = rooms.map(
    ({ name, purpose, imports }) =>
      `| ${name} | ${purpose} | ${imports.map(shown).join(', ') || 'nothing'} |`,
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
  const above = (index, target) => rooms.slice(0, index).some(({ name }) => name === nameOf(target));
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
    FOLDERS,
    { ruleSet: rules, validate: true, tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } },
    {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
    { tsConfig: extractTSConfig('./tsconfig.json') },
  );
  const seen = output.modules.filter((module) => sources.includes(module.source)).length;
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
const renewed = page.replace(
  PICTURE_AND_TABLE,
  (_, start, end) => `${start}\n${roomsPicture()}\n${roomsTable()}\n${end}`,
);
if (arguments_.includes('--write')) writeFileSync(join(home, PAGE), renewed);
const stale =
  renewed === page || arguments_.includes('--write')
    ? []
    : [`${PAGE} shows another picture or table: run node scripts/check-architecture.mjs --write`];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
).filter((name) => name.endsWith('.ts'));
const faults = [...stale, ...upward(), ...misplaced(sources), ...(await refused(root, sources))];
for (const fault of faults) say(fault);
say(`${faults.length} violations`);
if (faults.length > 0) process.exitCode = 1;
