import type { Database } from '../src/db/database.ts';
import { LOCAL_CALIBRATION } from '../src/embeddings/local.ts';
import { searchDocuments } from '../src/retrieval/documents.ts';
import type { Scope } from '../src/scope.ts';
import { withBenchDatabase } from './bench-database.ts';
import { type Percentiles, timeEach } from './percentiles.ts';
import { makeQueries, NO_FILTERS, storeCorpus } from './scale.ts';
import { seededRandom } from './search-corpus.ts';

const LEAVES = 1_000;
const SIZES = [1_000];
const LARGEST = 5_000;
const SEARCHES = 200;
const WARM_UP = 20;
/** A service that has been at work for a while. */
const ROUNDS_BEFORE = 3;
const LIMIT = 4;
/** In one statement for each table. */
const COPIED_AT_ONCE = 50;

interface ProjectsRow {
  projects: number;
  what: string;
  hybrid: Percentiles;
}

const quoted = (name: string): string => `"${name}"`;

/**
 * Copies a project under other names, row by row on the server: nothing is read again, so that thousands take minutes.
 * Triggers are off meanwhile.
 */
async function copyProject(db: Database, { projectId }: Scope, from: number, to: number): Promise<void> {
  const { rows: tables } = await db.query<{ name: string; columns: string[] }>(
    `select c.table_name as name, array_agg(c.column_name::text order by c.ordinal_position) as columns
     from information_schema.columns c join pg_class t on t.oid = format('public.%I', c.table_name)::regclass
     where c.table_schema = 'public' and t.relkind = 'r' and c.is_generated = 'NEVER' and c.is_identity = 'NO'
       and c.table_name in ('projects', 'files', 'document_parents', 'document_leaves', 'leaf_vectors', 'leaf_postings')
     group by c.table_name`,
  );
  for (let first = from; first < to; first += COPIED_AT_ONCE) {
    await db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      for (const { name, columns } of tables) {
        const copied = columns.map((column) =>
          column === 'project_id' ? `'copy-' || n` : `t.${quoted(column)}`,
        );
        await tx.query(
          `insert into ${quoted(name)} (${columns.map(quoted).join(', ')})
           select ${copied.join(', ')} from ${quoted(name)} t, generate_series($2::int, $3::int) n where t.project_id = $1`,
          [projectId, first, Math.min(to, first + COPIED_AT_ONCE) - 1],
        );
      }
    });
  }
  await db.query('vacuum analyze');
}

async function measure(db: Database, scopes: readonly Scope[]): Promise<Percentiles> {
  const random = seededRandom(scopes.length);
  const asked = makeQueries(LEAVES).flatMap((query) => [query, query]);
  const searches = asked.slice(0, SEARCHES + WARM_UP).map((query) => ({
    query,
    scope: scopes[Math.floor(random() * scopes.length)] as Scope,
  }));
  return timeEach(
    searches,
    ({ scope, query }) =>
      searchDocuments(db, scope, {
        ...{ ...query, calibration: LOCAL_CALIBRATION, limit: LIMIT, mode: 'hybrid', filters: NO_FILTERS },
        explain: false,
      }),
    WARM_UP,
  );
}

/**
 * Measures hybrid search in one project of 1,000 leaves: alone on a Postgres server, and as one of 1,000 such projects that are
 * searched in turn (if asked, of 5,000, which take some 65 GB).
 */
export async function runProjectsBench({ large = false } = {}): Promise<ProjectsRow[]> {
  const server = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL;
  if (server === undefined) {
    console.log('skipped: name a Postgres server in BENCH_DATABASE_URL');
    return [];
  }
  const rows: ProjectsRow[] = [];
  const add = (projects: number, what: string, hybrid: Percentiles): void => {
    rows.push({ projects, what, hybrid });
    const figures = `p50 ${hybrid.p50.toFixed(1).padStart(6)} ms  p95 ${hybrid.p95.toFixed(1).padStart(6)} ms`;
    console.log(
      `${projects.toLocaleString('en').padStart(8)} projects of ${LEAVES} leaves  ${what.padEnd(20)} ${figures}`,
    );
  };
  await withBenchDatabase(server, async (db) => {
    const scope = await storeCorpus(db, LEAVES);
    for (let round = 0; round < ROUNDS_BEFORE; round++) await measure(db, [scope]);
    add(1, 'alone', await measure(db, [scope]));
    let copied = 0;
    for (const projects of large ? [...SIZES, LARGEST] : SIZES) {
      await copyProject(db, scope, copied, projects);
      copied = projects;
      const scopes = Array.from({ length: projects }, (_, n) => ({ ...scope, projectId: `copy-${n}` }));
      add(projects, 'any, first search', await measure(db, scopes));
      add(projects, 'any, searched before', await measure(db, scopes));
      add(projects, 'the same one', await measure(db, scopes.slice(0, 1)));
    }
  });
  return rows;
}
