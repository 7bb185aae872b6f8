// The research agent on three small documents, without a key: npm run demo -- research.
import { type Checks, checkCitation } from './checks.ts';
import type { Client } from './client.ts';
import { heading, line } from './print.ts';
import type { ResearchEvent, RunAnswer } from './wire.ts';

const DOCUMENTS: Record<string, string> = {
  'policy_brief.md':
    '# Policy brief\n\n## Remote work\n\nStaff may work from home three days a week. The policy is reviewed every March.\n\n## Travel\n\nTrips below 400 km go by train.\n',
  'budget_brief.md':
    '# Budget brief\n\n## Training\n\nThe training budget is 40,000 EUR for 2026. Ines Duarte releases it.\n\n## Travel\n\nThe travel budget is 25,000 EUR.\n',
  'churn_report.md':
    '# Churn report\n\n## Causes\n\nEnterprise customers leave because onboarding takes eleven weeks.\n\n## Remedies\n\nA second onboarding team would halve the wait.\n',
};

interface ScriptedQuestion {
  question: string;
  files?: string[];
  status: string;
  /** What the answer must say. */
  says: string;
  /** What must be called, in this order. */
  tools: string[];
}

/** A question in several steps, one that is asked back and then resolved, a section, a file that is not there. */
const QUESTIONS: ScriptedQuestion[] = [
  {
    question: 'Why do enterprise customers leave? It stands in the churn report.',
    status: 'completed',
    says: 'eleven weeks',
    tools: ['list_project_files', 'search_in_document'],
  },
  {
    question: 'How much is the training budget in my brief?',
    status: 'needs_clarification',
    says: 'Which one do you mean?',
    tools: [],
  },
  {
    question: 'How much is the training budget in my brief?',
    files: ['budget_brief.md'],
    status: 'completed',
    says: '40,000 EUR',
    tools: ['search_in_document'],
  },
  {
    question: 'What stands in the section on remote work of policy_brief.md?',
    status: 'completed',
    says: 'three days a week',
    tools: ['document_outline', 'read_pointer'],
  },
  {
    question: 'Summarize non_existent_file.md',
    status: 'completed',
    says: "'non_existent_file.md' was not found",
    tools: ['summarize_document'],
  },
];

function show({ event, data }: ResearchEvent): void {
  if (event === 'reasoning.delta') line('thought', data.text.trim());
  if (event === 'tool.called') line('action', `${data.name} ${JSON.stringify(data.input)}`);
  if (event === 'tool.returned' && data.is_error)
    line('failed', 'the tool says why, and the agent passes it on');
}

async function ask(client: Client, checks: Checks, project: string, script: ScriptedQuestion): Promise<void> {
  console.log(`\n  ?  ${script.question}${script.files ? ` (files: ${script.files.join(', ')})` : ''}`);
  let last: ResearchEvent | undefined;
  const { question, files = [] } = script;
  for await (const event of client.research(project, { question, files })) {
    last = event;
    show(event);
  }
  const run = last?.data as RunAnswer;
  for (const text of (run.answer ?? '').split('\n').filter((one) => one !== '')) line('answer', text);
  const where = `"${script.question}"`;
  checks.that(run.status === script.status, `${where} ended ${run.status}, not ${script.status}`);
  checks.that(run.answer?.includes(script.says) === true, `${where} was answered: ${run.answer}`);
  const tools = run.steps.map(({ tool }) => tool);
  checks.that(tools.join() === script.tools.join(), `${where} called ${tools.join(', ') || 'nothing'}`);
  for (const citation of run.citations) {
    checkCitation(checks, citation, await client.markdown(project, citation.filename, citation.version));
  }
}

/** Thoughts, actions and answers of the agent as they come; an ambiguity, and how it is resolved. */
export async function research(client: Client, checks: Checks, url: string): Promise<void> {
  const { id } = await client.createProject('Research');
  heading(`Project ${id} on ${url}: ${Object.keys(DOCUMENTS).length} uploads`);
  for (const [name, text] of Object.entries(DOCUMENTS)) {
    const file = await client.upload(id, name, new TextEncoder().encode(text));
    checks.that(file.status === 'completed', `${name} ended ${file.status}`);
  }
  heading(`${QUESTIONS.length} questions to the research agent`);
  for (const script of QUESTIONS) await ask(client, checks, id, script);
  console.log(`\n${QUESTIONS.length} questions; all ${checks.count} checks passed.`);
}
