import { labelErrors } from './labels.ts';
import { loadAnswerability } from './load.ts';

// npx tsx eval/answerability/verify.ts: checks every label against its documents, those of EVAL_DIR included.

const { projects, items, skipped } = loadAnswerability();
for (const line of skipped) console.log(line);
const errors = await labelErrors(projects, items);
for (const line of errors) console.error(line);
console.log(`${items.length} questions of ${projects.length} projects checked, ${errors.length} wrong`);
process.exitCode = errors.length > 0 ? 1 : 0;
