import type { StaleItem } from '../contract/staleness.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { staleItems } from '../state/staleness.ts';
import { requireProject } from './projects.ts';

/** What of a project's state rests on files that have changed. */
export function createStalenessService({ db }: { db: Database }) {
  return {
    /** @throws AppError `project_not_found` */
    async list(scope: Scope): Promise<StaleItem[]> {
      return staleItems((await requireProject(db, scope)).state);
    },
  };
}

export type StalenessService = ReturnType<typeof createStalenessService>;
