import { randomUUID } from 'node:crypto';
import { maxHeaderSize } from 'node:http';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyPluginAsync } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { serviceStopping } from './errors.ts';
import { archiveRoutes } from './routes/archives.ts';
import { artifactRoutes } from './routes/artifacts.ts';
import { auditRoutes } from './routes/audit.ts';
import { backupRoutes } from './routes/backups.ts';
import { citationRoutes } from './routes/citations.ts';
import { contextRoutes } from './routes/contexts.ts';
import { registerGuides } from './routes/documentation/guides.ts';
import { registerReference } from './routes/documentation/reference.ts';
import { type BodyPace, registerBodyPace } from './routes/edge/body-pace.ts';
import { answerBrokenRequests } from './routes/edge/broken-requests.ts';
import type { CallerRules } from './routes/edge/callers.ts';
import { type ConnectionLimits, limitConnections } from './routes/edge/connections.ts';
import { registerCallers } from './routes/edge/cors.ts';
import { registerJsonBodies } from './routes/edge/json-bodies.ts';
import { type LoadLimits, shedLoad } from './routes/edge/load.ts';
import { answerUnknown } from './routes/edge/methods.ts';
import { refuseUnreadable } from './routes/edge/readable.ts';
import { fileContentRoutes } from './routes/file-content.ts';
import { fileReplaceRoutes } from './routes/file-replace.ts';
import { fileRunRoutes } from './routes/file-runs.ts';
import { fileUploadRoutes } from './routes/file-uploads.ts';
import { fileRoutes } from './routes/files.ts';
import { inspectRoutes } from './routes/inspect.ts';
import { keyRoutes } from './routes/keys.ts';
import { knowledgeRoutes } from './routes/knowledge.ts';
import { mcpRoutes } from './routes/mcp.ts';
import { outlineRoutes } from './routes/outlines.ts';
import { registerAudit } from './routes/plumbing/audit.ts';
import { emptyUnchanged } from './routes/plumbing/etag.ts';
import { registerIdempotency } from './routes/plumbing/idempotency.ts';
import { measureRequests } from './routes/plumbing/measure.ts';
import { registerOpenApi } from './routes/plumbing/openapi.ts';
import { libraryPlace, projectPlace } from './routes/plumbing/place.ts';
import { registerPrincipal } from './routes/plumbing/principal.ts';
import { sendProblem } from './routes/plumbing/problems.ts';
import { registerRateLimits } from './routes/plumbing/rate-limit.ts';
import { registerSpending } from './routes/plumbing/spending.ts';
import { endStreams } from './routes/plumbing/sse.ts';
import { limitStreams } from './routes/plumbing/stream-room.ts';
import { watchUnusedConnections } from './routes/plumbing/unused-connections.ts';
import { uploadLimits } from './routes/plumbing/uploads.ts';
import { validatorCompiler } from './routes/plumbing/validation.ts';
import { projectEventRoutes } from './routes/project-events.ts';
import { projectRoutes } from './routes/projects.ts';
import { researchRoutes } from './routes/research.ts';
import { searchRoutes } from './routes/search.ts';
import { stalenessRoutes } from './routes/staleness.ts';
import { stateRoutes } from './routes/state.ts';
import { systemRoutes } from './routes/system.ts';
import { toolRoutes } from './routes/tools.ts';
import { turnEventRoutes } from './routes/turn-events.ts';
import { turnImportRoutes } from './routes/turn-import.ts';
import { turnRoutes } from './routes/turns.ts';
import { usageRoutes } from './routes/usage.ts';
import { webhookDeliveryRoutes } from './routes/webhook-deliveries.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workspaceRoutes } from './routes/workspaces.ts';
import type { Services } from './services/services.ts';

const JSON_BODY_BYTES = 1024 * 1024;
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** What the application is told besides its services. */
export interface AppOptions {
  version: string;
  maxUploadBytes: number;
  maxFilesPerUpload: number;
  /** Of an archive that is imported. */
  maxImportBytes: number;
  /** Event streams that may be open at a time. */
  maxEventStreams?: number;
  /** Whether there is `/mcp`. */
  mcp: boolean;
  /** Whether there is `/inspect`. */
  inspect: boolean;
  callers: CallerRules;
  bodies: BodyPace;
  connections: ConnectionLimits;
  load: LoadLimits;
  /** Aborted when the process is about to stop: connections are not kept, so that clients open theirs elsewhere. */
  draining?: AbortSignal;
  /** Aborted when the process stops: from then on nothing new is taken on. */
  stopping?: AbortSignal;
  logger?: FastifyBaseLogger;
}

/** The HTTP application over the services: no environment, no sockets, nothing global. */
export async function buildApp(services: Services, options: AppOptions) {
  const broken = answerBrokenRequests();
  const app = Fastify({
    ...broken.options,
    trustProxy: options.connections.proxies.length > 0 ? [...options.connections.proxies] : false,
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    bodyLimit: JSON_BODY_BYTES,
    // each parameter has a limit of its own, which names it; what is longer than any head of a request never gets here
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: true },
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    forceCloseConnections: 'idle',
    return503OnClosing: true,
  }).withTypeProvider<ZodTypeProvider>();

  limitConnections(app.server, options.connections);
  broken.watch(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  answerUnknown(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (options.draining?.aborted) reply.header('connection', 'close');
    return payload;
  });
  emptyUnchanged(app);
  measureRequests(app, services);
  if (options.maxEventStreams !== undefined) {
    limitStreams(app.server, options.maxEventStreams, (open) => services.metrics.http.streams(open));
  }
  registerCallers(app, options.callers);
  registerBodyPace(app, options.bodies, options.stopping);
  refuseUnreadable(app);
  registerPrincipal(app, services);
  registerAudit(app, services);
  registerRateLimits(app, services);
  shedLoad(app, options.load);
  const endUnused = watchUnusedConnections(app.server);
  app.addHook('preClose', async () => {
    endStreams(app.server);
    endUnused();
  });
  registerIdempotency(app, services.idempotency, {
    ...uploadLimits(options.maxUploadBytes),
    archiveBytes: options.maxImportBytes,
  });
  registerSpending(app, services);
  registerJsonBodies(app);

  await app.register(multipart, {
    limits: {
      fileSize: options.maxUploadBytes,
      files: options.maxFilesPerUpload,
      fields: 20,
      fieldSize: 64 * 1024,
    },
    // the path in a file name is refused in words instead of being cut off
    preservePath: true,
    defParamCharset: 'utf8',
  } as Parameters<typeof multipart>[1] & object);
  await registerOpenApi(app, options.version);
  await registerReference(app);
  registerGuides(app);

  await app.register(systemRoutes, { services, version: options.version });
  if (options.inspect) await app.register(inspectRoutes);
  await app.register(operations, { services, options });
  await app.ready();
  return app;
}

/** What is worked on. Health and version are told to the end; this is refused from when the process stops. */
const operations: FastifyPluginAsync<{ services: Services; options: AppOptions }> = async (
  app,
  { services, options: { version, maxUploadBytes, maxImportBytes, mcp, stopping } },
) => {
  app.addHook('onRequest', async () => {
    if (stopping?.aborted) throw serviceStopping();
  });
  await app.register(keyRoutes, { services });
  await app.register(workspaceRoutes, { services });
  await app.register(auditRoutes, { services });
  await app.register(webhookRoutes, { services });
  await app.register(webhookDeliveryRoutes, { services });
  await app.register(knowledgeRoutes, { services });
  await app.register(projectRoutes, { services });
  await app.register(stateRoutes, { services });
  await app.register(stalenessRoutes, { services });
  await app.register(usageRoutes, { services });
  await app.register(artifactRoutes, { services });
  for (const place of [projectPlace, libraryPlace]) {
    await app.register(citationRoutes, { services, place });
    await app.register(fileUploadRoutes, { services, place, maxUploadBytes });
    await app.register(fileReplaceRoutes, { services, place, maxUploadBytes });
    await app.register(fileRoutes, { services, place });
    await app.register(fileRunRoutes, { services, place });
    await app.register(contextRoutes, { services, place });
    await app.register(fileContentRoutes, { services, place });
    await app.register(outlineRoutes, { services, place });
    await app.register(projectEventRoutes, { services, place });
  }
  await app.register(searchRoutes, { services });
  await app.register(researchRoutes, { services });
  await app.register(toolRoutes, { services });
  await app.register(turnRoutes, { services });
  await app.register(turnEventRoutes, { services });
  await app.register(turnImportRoutes, { services });
  await app.register(archiveRoutes, { services, maxImportBytes });
  await app.register(backupRoutes, { services });
  if (mcp) await app.register(mcpRoutes, { services, version });
};
