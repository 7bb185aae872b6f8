import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** The SDK's own client over streamable HTTP, through with the handshake. */
export async function connectMcp(url: string, project?: string, headers: Record<string, string> = {}) {
  const address = new URL(`${url}/mcp${project === undefined ? '' : `?project=${project}`}`);
  const transport = new StreamableHTTPClientTransport(address, { requestInit: { headers } });
  const client = new Client({ name: 'test', version: '1' });
  // the SDK is not written for exactOptionalPropertyTypes
  await client.connect(transport as Transport);
  return { client, transport };
}

export type McpClient = Awaited<ReturnType<typeof connectMcp>>;
