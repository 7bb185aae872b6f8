// node run.js, deno run -A run.js, bun run.js: CLIENT BASE_URL NOWHERE. Writes what came of the scenario as JSON.
import process from 'node:process';
import { runScenario } from './scenario.js';

const [client, baseUrl, nowhere] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(await runScenario(await import(client), baseUrl, nowhere))}\n`);
