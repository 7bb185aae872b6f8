// A project from its first file to a turn that is cancelled, by the client in whatever runs this: a browser, Node.js, Deno, Bun.
// Plain JavaScript, and nothing but the client and what all of them have.

/** What comes of it, wherever it runs. */
export const EXPECTED = {
  upload: { status: 'completed', version: 1, isToldInSteps: true, isAllSent: true },
  turn: { first: 'turn.created', last: 'turn.completed', inOrder: true, isWhole: true },
  cancelled: { answer: 'cancelled', last: 'turn.cancelled' },
  refused: { isForgeError: true, code: 'project_not_found', status: 404 },
  missing: 'ConnectionError',
  archive: 'PK',
};

/** Long enough to be sent in more pieces than one. */
const PLAN = `# Plan\n\n${'Dana Reyes signs the budget. '.repeat(40_000)}`;

async function upload(forge, project) {
  const told = [];
  const file = await forge.upload(project, [{ name: 'plan.md', content: PLAN }], {
    wait: 60,
    onProgress: (sent, total) => told.push({ sent, total }),
  });
  const last = told.at(-1);
  return {
    status: file.status,
    version: file.version,
    isToldInSteps: told.every(({ sent }, index) => sent >= (told[index - 1]?.sent ?? 0)),
    isAllSent: last?.sent === last?.total && last?.sent > PLAN.length,
  };
}

/** Over a line that breaks. */
async function turn(forge, project) {
  const events = [];
  for await (const event of forge.turn(project, { message: 'Who signs the budget?' })) events.push(event);
  const written = events.map(({ event, data }) => (event === 'answer.delta' ? data.text : '')).join('');
  return {
    first: events[0]?.event,
    last: events.at(-1)?.event,
    inOrder: events.every(({ id }, index) => id === index + 1),
    isWhole: written !== '' && events.at(-1)?.data.response === written,
  };
}

/** As soon as it says something. */
async function cancelled(forge, project) {
  let answer;
  let last;
  for await (const { event } of forge.turn(project, { message: 'Take your time.' })) {
    last = event;
    if (event !== 'answer.delta' || answer !== undefined) continue;
    answer = await forge.call('post', '/projects/{project_id}/turns/{n}/cancel', {
      path: { project_id: project, n: 2 },
    });
  }
  return { answer: answer?.status, last };
}

async function failureOf(work) {
  try {
    await work;
    return null;
  } catch (error) {
    return error;
  }
}

async function startOfArchive(forge, project) {
  const path = { project_id: project };
  const response = await forge.send('get', '/projects/{project_id}/export', { path });
  return (await response.text()).slice(0, 2);
}

/**
 * Does all of it.
 *
 * @param {{ createForge: Function, ForgeError: Function }} client the client's module
 * @param {string} baseUrl a service over a line that breaks the first streams
 * @param {string} nowhere an address at which nothing is
 */
export async function runScenario({ createForge, ForgeError }, baseUrl, nowhere) {
  const forge = createForge({ baseUrl, longestPauseMs: 500 });
  const { id: project } = await forge.call('post', '/projects', { body: { name: 'Runtime' } });
  const refused = await failureOf(
    forge.call('get', '/projects/{project_id}', { path: { project_id: 'none' } }),
  );
  const missing = await failureOf(createForge({ baseUrl: nowhere, attempts: 1 }).call('get', '/version', {}));
  return {
    upload: await upload(forge, project),
    turn: await turn(forge, project),
    cancelled: await cancelled(forge, project),
    refused: { isForgeError: refused instanceof ForgeError, code: refused?.code, status: refused?.status },
    missing: missing?.name,
    archive: await startOfArchive(forge, project),
  };
}
