import type { Knowledge } from '../knowledge/entry.ts';
import type { ArchiveService } from './archives/archives.ts';
import type { ArtifactService } from './artifacts.ts';
import type { CitationService } from './citations.ts';
import type { FileService } from './files.ts';
import type { IdempotencyService } from './idempotency.ts';
import type { Authentication } from './keys/authentication.ts';
import type { KeyService } from './keys/keys.ts';
import type { MetricsService } from './metrics.ts';
import type { OutlineService } from './outlines/service.ts';
import type { ProjectService } from './projects.ts';
import type { ResearchEventService } from './research/events.ts';
import type { ResearchService } from './research/research.ts';
import type { ResourceStamps } from './resource-stamps.ts';
import type { SearchService } from './search.ts';
import type { StalenessService } from './staleness.ts';
import type { SystemService } from './system.ts';
import type { ToolService } from './tools/by-hand.ts';
import type { TurnEventService } from './turns/events.ts';
import type { TurnImportService } from './turns/import.ts';
import type { TurnService } from './turns/turns.ts';
import type { UsageService } from './usage.ts';

/** Everything that the routes can call. */
export interface Services {
  authentication: Authentication;
  keys: KeyService;
  projects: ProjectService;
  artifacts: ArtifactService;
  files: FileService;
  outlines: OutlineService;
  search: SearchService;
  research: ResearchService;
  researchEvents: ResearchEventService;
  tools: ToolService;
  resourceStamps: ResourceStamps;
  turns: TurnService;
  turnEvents: TurnEventService;
  turnImport: TurnImportService;
  archives: ArchiveService;
  idempotency: IdempotencyService;
  usage: UsageService;
  staleness: StalenessService;
  citations: CitationService;
  knowledge: Knowledge;
  system: SystemService;
  metrics: MetricsService;
}
