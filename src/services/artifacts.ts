import { type Artifact, type ArtifactName, artifactNameSchema } from '../contract/artifact.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { renderProblemBrief, renderSolutionEvaluation } from '../state/artifacts.ts';
import { requireProject } from './projects.ts';

const RENDERERS = {
  problem_brief: { title: 'Problem brief', render: renderProblemBrief },
  solution_evaluation: { title: 'Solution evaluation', render: renderSolutionEvaluation },
} as const satisfies Record<ArtifactName, unknown>;

/** Renders the artifacts of a project; the same state gives the same text. */
export function createArtifactService({ db }: { db: Database }) {
  return {
    /** @throws AppError `project_not_found` */
    async list(scope: Scope): Promise<Artifact[]> {
      const project = await requireProject(db, scope);
      return artifactNameSchema.options.map((name) => {
        const { title, render } = RENDERERS[name];
        const bytes = Buffer.byteLength(render(project.name, project.state));
        return { object: 'artifact', name, title, bytes };
      });
    },

    /**
     * The text of an artifact, and the version of the state that it was rendered from.
     *
     * @throws AppError `project_not_found`
     */
    async get(scope: Scope, name: ArtifactName): Promise<{ markdown: string; stateVersion: number }> {
      const project = await requireProject(db, scope);
      const markdown = RENDERERS[name].render(project.name, project.state);
      return { markdown, stateVersion: project.stateVersion };
    },
  };
}

export type ArtifactService = ReturnType<typeof createArtifactService>;
