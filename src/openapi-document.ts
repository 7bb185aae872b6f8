import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildApp } from './app.ts';
import { packageRoot } from './package-root.ts';
import type { Services } from './services/services.ts';
import { version } from './version.ts';

const path = join(packageRoot, 'openapi', 'openapi.json');

/** The contract as the routes declare it now, as JSON text. */
async function openApiDocument(): Promise<string> {
  // the routes are registered and never called: no service is needed
  const limits = {
    maxUploadBytes: 1,
    maxFilesPerUpload: 1,
    maxImportBytes: 1,
    callers: { hosts: [], origins: null },
    bodies: { totalMs: 1, bytesPerSecond: 0 },
    connections: { all: 0, perAddress: 0, proxies: [] },
    load: { expensiveRequests: 0, delayMs: 0 },
  };
  const app = await buildApp({} as Services, { version, ...limits, mcp: true, inspect: false });
  try {
    return `${JSON.stringify(app.swagger(), null, 2)}\n`;
  } finally {
    await app.close();
  }
}

/** Whether the committed contract is the one that the routes declare. */
export async function isOpenApiCurrent(): Promise<boolean> {
  return (await readFile(path, 'utf8').catch(() => '')) === (await openApiDocument());
}

/** Writes the contract to `openapi/openapi.json`. */
export async function writeOpenApi(): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await openApiDocument());
  return path;
}
