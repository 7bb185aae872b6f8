import type { Facts, KeyFacts, TableFacts } from './catalog.ts';
import { type Obstacle, type Placement, planOf, type TablePlan } from './tables.ts';

/** What becomes of a table. */
export interface TableStep {
  table: string;
  placement: Placement;
  why: string;
  /** It is so already. */
  isDone: boolean;
  /** What is dropped or replaced for it, and how what that was for is kept. */
  changes: string[];
}

/** What is to be done to a database, in this order and all in one transaction. */
export interface DistributionPlan {
  tables: TableStep[];
  statements: string[];
}

/**
 * The same condition as on a plain server, without the query around it: Citus takes no policy that has one. There the setting is read
 * for each row.
 */
const policySql = (table: string, name: string): string =>
  `create policy ${name} on ${table} using (workspace_id = current_setting('forge.workspace', true)
     or current_setting('forge.workspace', true) = '*')`;

interface Planned extends TableFacts {
  plan: TablePlan;
  isDue: boolean;
}

interface NarrowKey {
  table: string;
  name: string;
  isConstraint: boolean;
  obstacle: Obstacle;
}

/** What stands in the way of the tables that are due, and what is on them. */
interface InTheWay {
  due: Planned[];
  obstacles: NarrowKey[];
  /** Foreign keys of them and to them; those that are kept come back. */
  keys: (KeyFacts & { isKept: boolean })[];
  triggers: Facts['triggers'];
  policies: Facts['policies'];
}

/** What has to be done to what was found, so that every table is where it belongs; no statements where all are. */
export function planDistribution(facts: Facts): DistributionPlan {
  const planned = facts.tables.map((table): Planned => {
    const plan = planOf(table.name, table.hasProject);
    return { ...table, plan, isDue: plan.placement !== table.placement };
  });
  const found = inTheWay(facts, planned);
  const tables = planned.map(
    ({ name: table, plan: { placement, why }, isDue }): TableStep => ({
      table,
      placement,
      why,
      isDone: !isDue,
      changes: changesOf(table, found),
    }),
  );
  return { tables, statements: statementsOf(found, facts.vectorIndexes) };
}

function inTheWay(facts: Facts, planned: readonly Planned[]): InTheWay {
  const due = planned.filter(({ isDue }) => isDue);
  const isDue = ({ table }: { table: string }): boolean => due.some(({ name }) => name === table);
  const isSpread = (table: string): boolean =>
    planned.some(({ name, plan }) => name === table && plan.placement === 'distributed');
  return {
    due,
    obstacles: due.filter(({ name }) => isSpread(name)).flatMap((table) => obstaclesOf(facts, table)),
    keys: facts.keys
      .filter((key) => isDue(key) || isDue({ table: key.references }))
      .map((key) => ({ ...key, isKept: isSpread(key.table) && isSpread(key.references) })),
    triggers: facts.triggers.filter(isDue),
    policies: facts.policies.filter(isDue),
  };
}

/** @throws Error for a key that nobody knows how to do without */
function obstaclesOf(facts: Facts, { name: table, plan }: Planned): NarrowKey[] {
  return facts.narrowKeys
    .filter((key) => key.table === table)
    .map(({ name, isConstraint }) => {
      const obstacle = plan.obstacles?.find((each) => each.name === name);
      if (!obstacle) throw new Error(`${name} of ${table} stands in the way: it has no project_id`);
      return { table, name, isConstraint, obstacle };
    });
}

const statementsOf = (
  { due, obstacles, keys, triggers, policies }: InTheWay,
  vectorIndexes: readonly string[],
): string[] => [
  ...keys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
  // so that none fires for a row that is moved
  ...triggers.map(({ table, name }) => `drop trigger ${name} on ${table}`),
  ...policies.map(({ table, name }) => `drop policy ${name} on ${table}`),
  ...obstacles.map(({ table, name, isConstraint }) =>
    isConstraint ? `alter table ${table} drop constraint ${name}` : `drop index ${name}`,
  ),
  // each would be one on every part of the table
  ...vectorIndexes.map((name) => `drop index ${name}`),
  ...due.flatMap(({ plan }) => plan.before ?? []),
  ...obstacles.flatMap(({ obstacle }) => obstacle.replacement ?? []),
  ...inOrder(due).map(moveSql),
  ...keys
    .filter(({ isKept }) => isKept)
    .map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  ...policies.map(({ table, name }) => policySql(table, name)),
  ...triggers.map(({ definition }) => definition),
];

const changesOf = (table: string, { obstacles, keys, policies }: InTheWay): string[] => [
  ...obstacles
    .filter((key) => key.table === table)
    .map(
      ({ name, obstacle }) =>
        `${name}: ${obstacle.replacement ? 'replaced' : 'dropped'}, ${obstacle.instead}`,
    ),
  ...keys
    .filter((key) => key.table === table && !key.isKept)
    .map(({ name, references }) => `${name}: dropped, the service removes what refers to ${references}`),
  ...policies
    .filter((policy) => policy.table === table)
    .map(({ name }) => `${name}: written without a query`),
];

/** `projects` first: the others are put beside it. */
const inOrder = (due: readonly Planned[]): Planned[] =>
  [...due].sort((a, b) => Number(b.name === 'projects') - Number(a.name === 'projects'));

function moveSql({ name, plan, placement }: Planned): string {
  if (placement !== 'local') throw new Error(`${name} is ${placement}, and cannot be made ${plan.placement}`);
  if (plan.placement === 'reference') return `select create_reference_table('${name}')`;
  const beside = name === 'projects' ? 'none' : 'projects';
  return `select create_distributed_table('${name}', 'project_id', colocate_with => '${beside}')`;
}
