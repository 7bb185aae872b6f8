import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const dashboardSchema = z.looseObject({
  panels: z.array(
    z.looseObject({ title: z.string(), targets: z.array(z.looseObject({ expr: z.string() })).default([]) }),
  ),
});

/** The queries of Grafana's dashboard. */
export async function readDashboard(path = 'deploy/grafana/forge.json'): Promise<string[]> {
  const { panels } = dashboardSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}
