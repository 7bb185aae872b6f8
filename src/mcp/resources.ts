import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ResourceTemplate,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../errors.ts';
import { sourceOf } from '../scope.ts';
import type { Services } from '../services/services.ts';
import type { McpConnection } from './connection.ts';
import type { Interest } from './interest.ts';
import { listResources } from './resource-list.ts';
import { parseUri, type ResourceName, URI_TEMPLATES } from './resource-uri.ts';

/** Of the protocol, which the SDK has no name for. */
const RESOURCE_NOT_FOUND = -32002;
/** Bytes of a resource, at most: it is one message, and a model would not read it. */
const MOST_BYTES = 4 * 1024 * 1024;
const OUTLINE_TOKENS = 20_000;

const TEMPLATES: ResourceTemplate[] = [
  {
    name: 'file',
    title: 'File of a project',
    description: 'The Markdown that a file was read as.',
    uriTemplate: URI_TEMPLATES.file,
    mimeType: 'text/markdown',
  },
  {
    name: 'outline',
    title: 'Outline of a file',
    description: 'The headings of a file with their sizes and pointers.',
    uriTemplate: URI_TEMPLATES.outline,
    mimeType: 'application/json',
  },
  {
    name: 'artifact',
    title: 'Artifact of a project',
    description: "A document that is rendered from the project's state.",
    uriTemplate: URI_TEMPLATES.artifact,
    mimeType: 'text/markdown',
  },
  {
    name: 'library_file',
    title: 'File of the library',
    description: 'The Markdown of a file that all projects share.',
    uriTemplate: URI_TEMPLATES.libraryFile,
    mimeType: 'text/markdown',
  },
  {
    name: 'library_outline',
    title: 'Outline of a file of the library',
    description: 'The headings of a file that all projects share.',
    uriTemplate: URI_TEMPLATES.libraryOutline,
    mimeType: 'application/json',
  },
];

/**
 * A failure of ours in the protocol's terms; anything else is logged and not shown.
 *
 * @param data what a client is told besides
 */
export function protocolError(error: unknown, { log }: McpConnection, data?: object): unknown {
  if (error instanceof McpError) return error;
  if (!(error instanceof AppError)) {
    log.error({ err: error }, 'a request over MCP failed');
    return new McpError(ErrorCode.InternalError, 'Something went wrong on our side. Try again later.');
  }
  const isMissing = /_not_(found|available)$/.test(error.code);
  return new McpError(isMissing ? RESOURCE_NOT_FOUND : ErrorCode.InvalidParams, error.detail, data);
}

/** @throws McpError where there is no such URI, or the connection is bound to another project */
function named(uri: string, { principal, project }: McpConnection): ResourceName {
  const name = parseUri(principal, uri);
  if (!name) {
    const known = Object.values(URI_TEMPLATES).join(', ');
    throw new McpError(RESOURCE_NOT_FOUND, `There is no resource ${uri}. There are ${known}.`, { uri });
  }
  if (project !== null && sourceOf(name.scope) === 'project' && name.scope.projectId !== project) {
    const detail = `This connection is bound to the project "${project}".`;
    throw new McpError(RESOURCE_NOT_FOUND, `${detail} Connect without a project to read those of others.`, {
      uri,
    });
  }
  return name;
}

async function read({ files, outlines, artifacts }: Services, name: ResourceName) {
  if (name.kind === 'artifact') {
    const { markdown } = await artifacts.get(name.scope, name.artifact);
    return { mimeType: 'text/markdown', text: markdown };
  }
  const { scope, file } = name;
  if (name.kind === 'outline') {
    const budget = { maxTokens: OUTLINE_TOKENS, includeBlurbs: true };
    const outline = await outlines.outline(scope, file, budget, () => false);
    return { mimeType: 'application/json', text: JSON.stringify(outline) };
  }
  const { length, version } = await files.markdownFacts(scope, file);
  if (length > MOST_BYTES) {
    throw new McpError(
      ErrorCode.InvalidParams,
      `"${file}" is ${length} bytes of Markdown, over the ${MOST_BYTES} that a resource may have. Read its outline, and what you need with read_pointer.`,
    );
  }
  return { mimeType: 'text/markdown', text: await files.markdown(scope, file, version) };
}

/** Files, outlines and artifacts as resources, and subscriptions to their changes. */
export function serveResources(server: Server, connection: McpConnection, interest: Interest): void {
  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) => {
    try {
      await interest.wantList();
      return await listResources(connection, params?.cursor);
    } catch (error) {
      throw protocolError(error, connection);
    }
  });

  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: TEMPLATES,
  }));

  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    try {
      return { contents: [{ uri, ...(await read(connection.services, named(uri, connection))) }] };
    } catch (error) {
      throw protocolError(error, connection, { uri });
    }
  });

  server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }) => {
    try {
      await interest.subscribe(uri, named(uri, connection));
      return {};
    } catch (error) {
      throw protocolError(error, connection, { uri });
    }
  });

  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    interest.unsubscribe(uri);
    return {};
  });
}
