import type { Knowledge } from '../knowledge/entry.ts';
import type { ArtifactService } from './artifacts.ts';
import type { FileService } from './files.ts';
import type { ProjectService } from './projects.ts';
import type { SearchService } from './search.ts';
import type { SystemService } from './system.ts';
import type { TurnService } from './turns/turns.ts';

/** Everything that the routes can call. */
export interface Services {
  projects: ProjectService;
  artifacts: ArtifactService;
  files: FileService;
  search: SearchService;
  turns: TurnService;
  knowledge: Knowledge;
  system: SystemService;
}
