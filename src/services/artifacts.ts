import type { Database } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { renderProblemBrief, renderSolutionEvaluation } from '../state/artifacts.ts';
import { requireProject } from './projects.ts';

/** The documents that are rendered from the state, by name. */
const RENDERERS = {
  problem_brief: { title: 'Problem brief', render: renderProblemBrief },
  solution_evaluation: { title: 'Solution evaluation', render: renderSolutionEvaluation },
} as const;

export type ArtifactName = keyof typeof RENDERERS;
export const ARTIFACT_NAMES = Object.keys(RENDERERS) as [ArtifactName, ...ArtifactName[]];

export interface Artifact {
  name: ArtifactName;
  title: string;
  markdown: string;
  /** Of the state that it was rendered from. */
  stateVersion: number;
}

/** Renders the artifacts of a project; the same state gives the same text. */
export function createArtifactService({ db }: { db: Database }) {
  async function render(scope: Scope, names: readonly ArtifactName[]): Promise<Artifact[]> {
    const { name: projectName, state, stateVersion } = await requireProject(db, scope);
    return names.map((name) => ({
      name,
      title: RENDERERS[name].title,
      markdown: RENDERERS[name].render(projectName, state),
      stateVersion,
    }));
  }

  return {
    list: (scope: Scope): Promise<Artifact[]> => render(scope, ARTIFACT_NAMES),

    async get(scope: Scope, name: ArtifactName): Promise<Artifact> {
      const [artifact] = await render(scope, [name]);
      if (!artifact) throw new Error('an artifact was not rendered');
      return artifact;
    },
  };
}

export type ArtifactService = ReturnType<typeof createArtifactService>;
