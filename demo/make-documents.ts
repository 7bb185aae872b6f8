// Writes the two Word files of demo/documents; run it after a change in demo/report: npx tsx demo/make-documents.ts
import { writeFile } from 'node:fs/promises';
import { budgetForecast } from './report/budget-forecast.ts';
import { campaignResearch } from './report/campaign-research.ts';
import { inStillWorld } from './report/still-world.ts';
import { toDocx } from './report/to-docx.ts';

const folder = new URL('./documents/', import.meta.url);

async function write(name: string, bytes: Uint8Array): Promise<void> {
  await writeFile(new URL(name, folder), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}

await inStillWorld('2025-10-24T09:00:00Z', async () => {
  await write('campaign-research-q3.docx', await toDocx(campaignResearch));
  // an upload that was cut off: the archive's directory, which stands at its end, is missing
  const whole = await toDocx(budgetForecast);
  await write('budget-forecast.docx', whole.subarray(0, Math.floor(whole.length * 0.6)));
});
