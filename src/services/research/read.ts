import type { List } from '../../contract/list.ts';
import type { ResearchRun } from '../../contract/research.ts';
import { endRunOfOthers, selectRuns } from '../../db/research-runs.ts';
import type { Scope } from '../../scope.ts';
import { type PageRequest, readPage } from '../page.ts';
import { requireProject } from '../projects.ts';
import { requireRun } from './begin.ts';
import type { ResearchDeps } from './deps.ts';
import { INTERRUPTED } from './failures.ts';

/**
 * A run as it is, one that its worker abandoned being marked as failed first.
 *
 * @throws AppError `run_not_found`
 */
export async function readRun({ db }: ResearchDeps, scope: Scope, runId: string): Promise<ResearchRun> {
  const { run, abandoned } = await requireRun(db, scope, runId);
  if (!abandoned) return run;
  await endRunOfOthers(db, scope, runId, { status: 'failed', error: INTERRUPTED, abandonedOnly: true });
  return (await requireRun(db, scope, runId)).run;
}

/** The use cases of looking at runs. */
export function createResearchReader(deps: ResearchDeps) {
  const { db } = deps;
  return {
    /** @throws AppError `project_not_found`, `run_not_found` */
    async get(scope: Scope, runId: string): Promise<ResearchRun> {
      await requireProject(db, scope);
      return readRun(deps, scope, runId);
    },

    /** @throws AppError `project_not_found`, `invalid_cursor` */
    async list(scope: Scope, page: PageRequest): Promise<List<ResearchRun>> {
      await requireProject(db, scope);
      const found = await readPage(
        { of: 'research_runs', scope },
        page,
        (bounds) => selectRuns(db, scope, bounds),
        ({ seq }) => seq,
      );
      const data = await Promise.all(
        found.data.map(({ run, abandoned }) => (abandoned ? readRun(deps, scope, run.id) : run)),
      );
      return { ...found, data };
    },
  };
}
